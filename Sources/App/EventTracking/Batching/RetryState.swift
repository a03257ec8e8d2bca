import FlowEvents

/// How long to wait after failures of a sink.
struct RetryState: Sendable {
    /// Increases with every counted failure, so that batches in flight together count as one failure.
    private(set) var round = 0
    private var failures = 0
    private var backoffEnd: Duration?
    // The wait that the sink asked for. The outcomes of other batches do not end it.
    private var sinkWaitEnd: Duration?

    /// The time before which nothing is sent.
    var waitsUntil: Duration? {
        [backoffEnd, sinkWaitEnd].compactMap { $0 }.max()
    }

    /// Records that a batch has items to send again.
    ///
    /// - Parameters:
    ///   - round: the round in which the batch was sent.
    ///   - madeProgress: whether the sink took a part of the batch.
    ///   - wait: how long the sink asks to wait; `nil` if it does not.
    /// - Returns: whether the failure counts.
    mutating func fail(
        round failed: Int,
        madeProgress: Bool,
        atLeast wait: Duration?,
        at now: Duration,
        backoff: Backoff,
        jitter: Double
    ) -> Bool {
        let counts = failed == round
        if counts {
            round += 1
            failures = madeProgress ? 1 : failures + 1
            backoffEnd = now + backoff.delay(afterFailures: failures, jitter: jitter)
        }
        if let wait { sinkWaitEnd = max(now + wait, sinkWaitEnd ?? now) }
        return counts
    }

    /// Records that a batch has no items to send again.
    mutating func succeed(round succeeded: Int) {
        guard succeeded == round else { return }
        failures = 0
        backoffEnd = nil
    }

    /// Ends the backoff, but not the wait that the sink asked for.
    ///
    /// - Returns: whether the next batch may be sent now.
    mutating func hurry(at now: Duration) -> Bool {
        backoffEnd = nil
        return sinkWaitEnd.map { $0 <= now } ?? true
    }

    /// Returns the remaining waits, to save for the next launch.
    func snapshot(at now: Duration) -> RetrySnapshot {
        RetrySnapshot(
            failures: failures,
            backoff: max(.zero, (backoffEnd ?? now) - now),
            sinkWait: max(.zero, (sinkWaitEnd ?? now) - now)
        )
    }

    /// Continues the waits of an earlier run.
    mutating func restore(_ snapshot: RetrySnapshot, at now: Duration) {
        failures = snapshot.failures
        if snapshot.backoff > .zero { backoffEnd = now + snapshot.backoff }
        if snapshot.sinkWait > .zero { sinkWaitEnd = now + snapshot.sinkWait }
    }

    /// Returns the remaining wait.
    func delay(at now: Duration) -> Duration {
        max(.zero, (waitsUntil ?? now) - now)
    }
}

/// The remaining waits of a sink, as durations that do not depend on a clock.
package struct RetrySnapshot: Sendable, Hashable {
    /// The number of consecutive failures.
    package var failures: Int
    /// The remaining backoff.
    package var backoff: Duration
    /// The remaining time that the sink asked to wait.
    package var sinkWait: Duration

    /// Creates a snapshot, by default of a sink without failures.
    package init(failures: Int = 0, backoff: Duration = .zero, sinkWait: Duration = .zero) {
        self.failures = failures
        self.backoff = backoff
        self.sinkWait = sinkWait
    }
}

extension Batcher {
    /// Returns the remaining waits, to save for the next launch.
    package func retrySnapshot(at now: Duration) -> RetrySnapshot { retry.snapshot(at: now) }

    /// Continues the waits of an earlier run.
    package mutating func restore(_ snapshot: RetrySnapshot, at now: Duration) {
        retry.restore(snapshot, at: now)
    }
}
