import Dispatch
import FunnelStore
import Funnels
import Synchronization

/// Commits on a thread of its own, one interval at a time, while the next one is being read.
final class StoreWriter: Sendable {
    /// What became of a commit: the partitions as they stand where another consumer has moved them, else `nil`.
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

    /// Begins a commit; none may be under way.
    ///
    /// - Parameters:
    ///   - prepare: runs before it on the writer's thread; where it throws, nothing is committed.
    ///   - onEnd: is called on the writer's thread when the outcome is there.
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

    /// The outcome of the commit under way; `nil` while there is none yet.
    func poll() -> Outcome? {
        let isDone = state.withLock { state in
            if case .done = state { true } else { false }
        }
        return isDone ? wait() : nil
    }

    /// Waits for the outcome of the commit under way; `nil` where none is.
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
