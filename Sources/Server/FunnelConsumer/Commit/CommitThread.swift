import Dispatch
import FunnelStore
import Funnels
import Synchronization

/// Commits on a thread of its own, one interval at a time, while the consumer reads the next one.
final class CommitThread: Sendable {
    /// The outcome of a commit: `nil` if it succeeded, or the store's progress if another consumer has moved the
    /// partitions on.
    typealias Outcome = Result<[PartitionProgress]?, any Error>

    private enum State {
        case idle
        case busy
        case done(Outcome)
    }

    // A serial queue's thread, because a store blocks and must not hold up the cooperative pool.
    private let queue = DispatchQueue(label: "funnel-consumer.store")
    private let committer: Mutex<Committer>
    private let state = Mutex(State.idle)
    private let finished = DispatchSemaphore(value: 0)

    init(_ committer: sending Committer) {
        self.committer = Mutex(committer)
    }

    var isIdle: Bool {
        state.withLock { state in
            if case .idle = state { true } else { false }
        }
    }

    /// Begins a commit. None may be under way.
    ///
    /// - Parameters:
    ///   - interval: the events.
    ///   - advances: the partitions' offsets and counts.
    ///   - prepare: runs before the commit, on this thread. If it throws, nothing is committed.
    ///   - onEnd: called on this thread when ``poll()`` has the outcome.
    func begin(
        _ interval: EventInterval,
        _ advances: [PartitionAdvance],
        after prepare: @escaping @Sendable () throws -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) {
        state.withLock { $0 = .busy }
        queue.async { [self] in
            let outcome = Outcome {
                try prepare()
                return try committer.withLock { try $0.commit(interval, advances) }
            }
            state.withLock { $0 = .done(outcome) }
            finished.signal()
            onEnd()
        }
    }

    /// Returns the outcome of the commit under way, or `nil` if there is none yet.
    func poll() -> Outcome? {
        let isDone = state.withLock { state in
            if case .done = state { true } else { false }
        }
        return isDone ? wait() : nil
    }

    /// Waits for the commit under way and returns its outcome, or `nil` if none is under way.
    func wait() -> Outcome? {
        guard !isIdle else { return nil }
        finished.wait()
        return state.withLock { state in
            guard case .done(let outcome) = state else { return nil }
            state = .idle
            return outcome
        }
    }
}
