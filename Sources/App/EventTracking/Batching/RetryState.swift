import FlowEvents

/// How long a sink is left alone after failures.
struct RetryState: Sendable {
    /// Raised with every failure that counts, so that batches that were on their way together count once.
    private(set) var round = 0
    private var failures = 0
    private var backoffEnd: Duration?
    // The sink's own wish holds whatever other batches bring.
    private var sinkWaitEnd: Duration?

    /// Nothing is sent before this.
    var waitsUntil: Duration? {
        [backoffEnd, sinkWaitEnd].compactMap { $0 }.max()
    }

    /// A batch came back with something to send again.
    ///
    /// - Parameters:
    ///   - round: the round that it was sent in.
    ///   - madeProgress: whether the sink took a part of it.
    ///   - wait: how long the sink wants to be left alone, where it says so.
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

    /// A batch came back with nothing to send again.
    mutating func succeed(round succeeded: Int) {
        guard succeeded == round else { return }
        failures = 0
        backoffEnd = nil
    }

    /// Ends a wait that was not the sink's own wish; says whether something may be sent now.
    mutating func hurry(at now: Duration) -> Bool {
        backoffEnd = nil
        return sinkWaitEnd.map { $0 <= now } ?? true
    }

    /// What has to be kept for the waits to go on after a restart.
    func snapshot(at now: Duration) -> RetrySnapshot {
        RetrySnapshot(
            failures: failures,
            backoff: max(.zero, (backoffEnd ?? now) - now),
            sinkWait: max(.zero, (sinkWaitEnd ?? now) - now)
        )
    }

    /// Goes on as another run left off.
    mutating func restore(_ snapshot: RetrySnapshot, at now: Duration) {
        failures = snapshot.failures
        if snapshot.backoff > .zero { backoffEnd = now + snapshot.backoff }
        if snapshot.sinkWait > .zero { sinkWaitEnd = now + snapshot.sinkWait }
    }

    /// How much of the wait is left.
    func delay(at now: Duration) -> Duration {
        max(.zero, (waitsUntil ?? now) - now)
    }
}

/// How long a sink is still left alone, free of any clock.
package struct RetrySnapshot: Sendable, Hashable {
    /// How many failures there were in a row.
    package var failures: Int
    /// What is left of the backoff.
    package var backoff: Duration
    /// What is left of the time that the sink has named.
    package var sinkWait: Duration

    /// Creates a snapshot; by default that of a sink that has not failed.
    package init(failures: Int = 0, backoff: Duration = .zero, sinkWait: Duration = .zero) {
        self.failures = failures
        self.backoff = backoff
        self.sinkWait = sinkWait
    }
}

extension Batcher {
    /// The waits as they are now, to be kept over a restart.
    package func retrySnapshot(at now: Duration) -> RetrySnapshot { retry.snapshot(at: now) }

    /// Goes on with the waits of an earlier run.
    package mutating func restore(_ snapshot: RetrySnapshot, at now: Duration) {
        retry.restore(snapshot, at: now)
    }
}
