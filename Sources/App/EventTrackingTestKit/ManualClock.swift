import EventTracking

/// A clock that moves only when a test moves it: `Tracker(…, clock: clock)`.
public final class ManualClock: Clock, Sendable {
    /// A moment of a ``ManualClock``: the duration since it was made.
    public struct Instant: InstantProtocol {
        /// How long after the clock was made.
        public var offset: Duration

        /// Earlier first.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
        /// The moment so much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// How much later `other` is.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers = Waiters<Instant, any Error>()
        /// Callers of ``hasSleeper(until:)``, each with the deadline of the sleeper that it waits for.
        var watchers = Waiters<Instant, Never>()
    }

    private let state = Locked(State())

    /// Creates a clock that stands at its beginning.
    public init() {}

    /// The moment the clock stands at.
    public var now: Instant { state.withLock { $0.now } }

    /// The smallest step of the clock.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many tasks sleep on the clock.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Returns when the clock has been moved to the deadline.
    ///
    /// - Throws: `CancellationError` where the task is canceled before.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { $0.sleepers.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                register(id, deadline, continuation)
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.remove(id) }
            sleeper?.resume(throwing: CancellationError())
        }
    }

    /// Moves the clock and wakes those whose time has come.
    public func advance(by duration: Duration) {
        let awake = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            return state.sleepers.removeAll { $0 <= now }.sorted { $0.condition < $1.condition }
        }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Returns when a task sleeps on the clock until this long after the clock was made, exactly.
    public func hasSleeper(until offset: Duration) async {
        let deadline = Instant(offset: offset)
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.contains(where: { $0 == deadline }) { return true }
                let id = state.watchers.makeID()
                state.watchers.add(continuation, id: id, until: deadline)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func register(_ id: Int, _ deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>) {
        enum Fate { case sleeps([CheckedContinuation<Void, Never>]), isDue, isCanceled }
        let fate = state.withLock { state -> Fate in
            // Looked at under the lock: a cancellation after this finds the sleeper.
            if Task.isCancelled { return .isCanceled }
            if deadline <= state.now { return .isDue }
            state.sleepers.add(continuation, id: id, until: deadline)
            return .sleeps(state.watchers.removeAll { $0 == deadline }.map(\.continuation))
        }
        switch fate {
        case .sleeps(let watchers): for watcher in watchers { watcher.resume() }
        case .isDue: continuation.resume()
        case .isCanceled: continuation.resume(throwing: CancellationError())
        }
    }
}
