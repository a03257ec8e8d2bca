import Dispatch
import FunnelStore
import Synchronization

/// Commits on a thread of its own, one at a time, while the next interval is being read.
final class StoreWriter: Sendable {
    private enum State {
        case idle
        case busy
        case done(Result<CommitOutcome, any Error>)
    }

    // A serial queue's thread, because a store blocks and must not hold up the cooperative pool.
    private let queue = DispatchQueue(label: "funnel-consumer.store")
    private let state = Mutex(State.idle)
    private let finished = DispatchSemaphore(value: 0)

    var isIdle: Bool {
        state.withLock { state in
            if case .idle = state { true } else { false }
        }
    }

    /// Begins a commit; none may be under way.
    ///
    /// - Parameter onEnd: is called on the writer's thread when the result is there.
    func begin(_ job: @escaping @Sendable () throws -> CommitOutcome, onEnd: @escaping @Sendable () -> Void) {
        state.withLock { $0 = .busy }
        queue.async { [self] in
            let result = Result { try job() }
            state.withLock { $0 = .done(result) }
            finished.signal()
            onEnd()
        }
    }

    /// The result of the commit under way; `nil` while there is none yet.
    func poll() -> Result<CommitOutcome, any Error>? {
        let isDone = state.withLock { state in
            if case .done = state { true } else { false }
        }
        return isDone ? wait() : nil
    }

    /// Waits for the result of the commit under way; `nil` where none is.
    func wait() -> Result<CommitOutcome, any Error>? {
        guard !isIdle else { return nil }
        finished.wait()
        return state.withLock { state in
            guard case .done(let result) = state else { return nil }
            state = .idle
            return result
        }
    }
}
