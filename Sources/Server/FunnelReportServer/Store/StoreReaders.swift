import Dispatch
import FunnelServiceSupport
import FunnelStore
import Synchronization

/// Opens the store of a server.
package struct StoreOpening: Sendable {
    /// Opens a reader.
    package let open: @Sendable () throws -> any FunnelReading
    /// Whether a reader is used again. A reader of a file is opened anew each time: it costs little, and the path may
    /// name another file by now.
    package let keepsReaders: Bool

    /// Creates a value from its parts.
    package init(keepsReaders: Bool, open: @escaping @Sendable () throws -> any FunnelReading) {
        self.open = open
        self.keepsReaders = keepsReaders
    }
}

/// Readers of a store, each on a thread of its own, because a store blocks and must not hold up the cooperative pool.
final class StoreReaders: Sendable {
    /// A job on a reader could not be run.
    enum Failure: Error {
        /// Too many jobs wait.
        case busy
        /// The job has not ended in time.
        case slow(Duration)
    }

    private typealias Job = @Sendable (StoreLane) -> Void

    private struct State {
        var idle: [StoreLane]
        var waiting: [Job] = []
    }

    private let waitingLimit: Int
    private let patience: Duration
    private let timer = DispatchQueue(label: "funnel-report.timer")
    private let state: Mutex<State>

    /// - Parameters:
    ///   - count: the number of threads.
    ///   - waitingLimit: the number of jobs that wait for a thread.
    ///   - patience: the greatest time from ``run(_:)`` to its end.
    init(_ opening: StoreOpening, count: Int, waitingLimit: Int, patience: Duration) {
        self.waitingLimit = waitingLimit
        self.patience = patience
        let lanes = (1...max(1, count)).map { StoreLane(opening, label: "funnel-report.store-\($0)") }
        state = Mutex(State(idle: lanes))
    }

    /// Runs `body` with a reader.
    ///
    /// - Throws: ``Failure``, `StoreError`, and what `body` throws.
    func run<Value: Sendable>(_ body: @escaping @Sendable (any FunnelReading) throws -> Value) async throws -> Value {
        let answer = FirstValue<Result<Value, any Error>>()
        let isAccepted = submit { lane in
            // Nobody waits any longer for a job that has waited for too long.
            guard !answer.isSet else { return }
            answer.set(Result { try lane.run(body) })
        }
        guard isAccepted else { throw Failure.busy }
        // Weak, so that the timer does not keep the answer in memory until the time is over.
        timer.asyncAfter(deadline: .now() + (patience / .seconds(1))) { [weak answer, patience] in
            answer?.set(.failure(Failure.slow(patience)))
        }
        return try await answer.value().get()
    }

    private enum Admission {
        case start(StoreLane)
        case wait
        case refuse
    }

    private func submit(_ job: @escaping Job) -> Bool {
        let admission = state.withLock { state -> Admission in
            if let lane = state.idle.popLast() { return .start(lane) }
            guard state.waiting.count < waitingLimit else { return .refuse }
            state.waiting.append(job)
            return .wait
        }
        switch admission {
        case .start(let lane):
            start(job, on: lane)
            return true
        case .wait: return true
        case .refuse: return false
        }
    }

    private func start(_ job: @escaping Job, on lane: StoreLane) {
        lane.queue.async { [self] in
            job(lane)
            let next = state.withLock { state -> Job? in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.idle.append(lane)
                return nil
            }
            if let next { start(next, on: lane) }
        }
    }
}

/// One thread with its reader.
// Unchecked, because `reader` is used on `queue` only.
private final class StoreLane: @unchecked Sendable {
    let queue: DispatchQueue
    private let opening: StoreOpening
    private var reader: (any FunnelReading)?

    init(_ opening: StoreOpening, label: String) {
        self.opening = opening
        queue = DispatchQueue(label: label)
    }

    /// Runs `body`, and runs it once more where the store could not be read at once: a rebuild may have changed the
    /// funnels, or a connection may be lost. After a `StoreError` it uses a new reader.
    func run<Value>(_ body: (any FunnelReading) throws -> Value) throws -> Value {
        let start = ContinuousClock.now
        do {
            return try once(body)
        } catch let error as StoreError where error.code == .unavailable && ContinuousClock.now - start < .seconds(1) {
            return try once(body)
        }
    }

    private func once<Value>(_ body: (any FunnelReading) throws -> Value) throws -> Value {
        let current = try reader ?? opening.open()
        reader = nil
        do {
            let value = try body(current)
            if opening.keepsReaders { reader = current }
            return value
        } catch let error as StoreError {
            throw error
        } catch {
            // The error is about the request, and not about the store.
            if opening.keepsReaders { reader = current }
            throw error
        }
    }
}
