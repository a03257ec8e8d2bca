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

    /// How much of the wait is left.
    func delay(at now: Duration) -> Duration {
        max(.zero, (waitsUntil ?? now) - now)
    }
}
