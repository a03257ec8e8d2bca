import EventTracking

/// A clock that a test moves.
///
/// ```swift
/// let clock = ManualClock()
/// let tracker = Tracker(source: "app://test", identity: .memory(), sink: sink, clock: clock)
/// tracker.track(EventDraft(type: "search"))
/// await clock.hasSleeper(until: .seconds(10))  // The batch waits for more events.
/// clock.advance(by: .seconds(10))              // The batch is sent.
/// ```
public final class ManualClock: Clock, Sendable {
    /// A time of a ``ManualClock``.
    public struct Instant: InstantProtocol {
        /// The duration since the creation of the clock.
        public var offset: Duration

        /// Whether the first instant is earlier.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
        /// Returns the instant that is later by a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the duration from this instant to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers = Waiters<Instant, any Error>()
        /// Callers of ``hasSleeper(until:)``, each with the deadline of the sleeper that it waits for.
        var watchers = Waiters<Instant, Never>()
    }

    private let state = Locked(State())

    /// Creates a clock whose ``now`` has the offset zero.
    public init() {}

    /// The current time of the clock.
    public var now: Instant { state.withLock { $0.now } }

    /// The smallest step of the clock.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The number of tasks that sleep on the clock.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Returns when the clock reaches the deadline.
    ///
    /// - Throws: `CancellationError` if the task is canceled before.
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

    /// Moves the clock, and wakes the tasks whose deadline has passed.
    public func advance(by duration: Duration) {
        let awake = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            return state.sleepers.removeAll { $0 <= now }.sorted { $0.condition < $1.condition }
        }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Returns when a task sleeps until exactly this offset.
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
        enum Action { case sleep([CheckedContinuation<Void, Never>]), resume, cancel }
        let action = state.withLock { state -> Action in
            // Checked under the lock, so that a later cancellation finds the sleeper.
            if Task.isCancelled { return .cancel }
            if deadline <= state.now { return .resume }
            state.sleepers.add(continuation, id: id, until: deadline)
            return .sleep(state.watchers.removeAll { $0 == deadline }.map(\.continuation))
        }
        switch action {
        case .sleep(let watchers): for watcher in watchers { watcher.resume() }
        case .resume: continuation.resume()
        case .cancel: continuation.resume(throwing: CancellationError())
        }
    }
}
