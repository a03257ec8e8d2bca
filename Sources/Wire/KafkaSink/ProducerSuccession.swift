import EventTracking
import FlowEvents

/// When a sink's producer is to be replaced: a value, without producers and clocks.
///
/// A fatal error ends a producer. The first in a row is answered by a new producer at once; where that one, too, ends
/// before it has delivered anything, the cause is not the producer's, and each next one comes after a longer wait.
struct ProducerSuccession: Sendable {
    /// What to do with a batch.
    enum Turn: Sendable, Hashable {
        /// The producer is fit.
        case use
        /// Make a new one first.
        case replace
        /// It is not the time for a new one yet.
        case wait(SinkFailure, Duration)
    }

    /// Tells the producers apart: how many there were before this one.
    private(set) var generation = 0
    private var failures = 0
    private var breakdown: (failure: SinkFailure, retry: ContinuousClock.Instant)?
    private let backoff = Backoff(base: .seconds(1), maximum: .seconds(60))

    func turn(now: ContinuousClock.Instant) -> Turn {
        guard let breakdown else { return .use }
        return now < breakdown.retry ? .wait(breakdown.failure, breakdown.retry - now) : .replace
    }

    /// A producer has ended, or none could be made in its place.
    ///
    /// - Parameters:
    ///   - generation: which one; what is heard of an earlier one is no news.
    ///   - jitter: a random number, at least 0 and below 1.
    /// - Returns: whether it is news.
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

    /// There is no new producer, for now.
    mutating func stayedBroken(_ failure: SinkFailure, now: ContinuousClock.Instant, jitter: Double) {
        breakdown = nil
        _ = broke(generation, failure, now: now, jitter: jitter)
    }

    /// A new producer has taken over.
    mutating func replaced() {
        generation += 1
        breakdown = nil
    }

    /// A producer has delivered something.
    mutating func delivered(_ generation: Int) {
        if generation == self.generation, breakdown == nil { failures = 0 }
    }
}
