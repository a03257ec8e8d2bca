import EventTracking
import FlowEvents

/// Decides when to replace a sink's producer. A value without producers and clocks.
///
/// A fatal error ends a producer. After the first one in a row a new producer replaces it at once. If that one also
/// ends before it has delivered anything, the producer is not the cause, and each further replacement waits longer.
struct ProducerSuccession: Sendable {
    /// What to do with the next batch.
    enum Turn: Sendable, Hashable {
        /// Use the current producer.
        case use
        /// Create a new producer first.
        case replace
        /// Retry later: it is too early for a new producer.
        case wait(SinkFailure, Duration)
    }

    /// The number of earlier producers, which identifies the current one.
    private(set) var generation = 0
    private var failures = 0
    private var breakdown: (failure: SinkFailure, retry: ContinuousClock.Instant)?
    private let backoff = Backoff(base: .seconds(1), maximum: .seconds(60))

    func turn(now: ContinuousClock.Instant) -> Turn {
        guard let breakdown else { return .use }
        return now < breakdown.retry ? .wait(breakdown.failure, breakdown.retry - now) : .replace
    }

    /// Sets that a producer has ended.
    ///
    /// - Parameters:
    ///   - generation: the producer's generation. A failure of an earlier generation is ignored.
    ///   - jitter: a random number, at least 0 and less than 1.
    /// - Returns: whether this is the first report about the current producer.
    mutating func broke(
        _ generation: Int,
        _ failure: SinkFailure,
        now: ContinuousClock.Instant,
        jitter: Double
    ) -> Bool {
        guard generation == self.generation, breakdown == nil else { return false }
        let wait = failures == 0 ? .zero : backoff.delay(afterFailures: failures, jitter: jitter)
        failures += 1
        breakdown = (failure, now + wait)
        return true
    }

    /// Sets that no new producer could be created.
    mutating func stayedBroken(_ failure: SinkFailure, now: ContinuousClock.Instant, jitter: Double) {
        breakdown = nil
        _ = broke(generation, failure, now: now, jitter: jitter)
    }

    /// Sets that a new producer is the current one.
    mutating func replaced() {
        generation += 1
        breakdown = nil
    }

    /// Sets that a producer has delivered a record.
    mutating func delivered(_ generation: Int) {
        if generation == self.generation, breakdown == nil { failures = 0 }
    }
}
