/// A [token bucket](https://en.wikipedia.org/wiki/Token_bucket) that may go into debt: who has a token left may spend more
/// than that once, so that a batch that is larger than what is left neither waits for ever nor is split.
struct TokenBucket: Sendable {
    private let rate: Double
    private let capacity: Double
    private var tokens: Double
    private var time: ContinuousClock.Instant

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - rate: the tokens that come in a second.
    ///   - burst: the seconds after which it is full.
    init(rate: Double, burst: Double, now: ContinuousClock.Instant) {
        self.rate = rate
        capacity = rate * burst
        tokens = capacity
        time = now
    }

    /// How long until something may be spent; `nil` where it may be now.
    mutating func wait(now: ContinuousClock.Instant) -> Duration? {
        refill(now: now)
        guard tokens < 1 else { return nil }
        return .seconds((1 - tokens) / rate)
    }

    /// Takes tokens out, more than there are too.
    mutating func spend(_ count: Int, now: ContinuousClock.Instant) {
        refill(now: now)
        tokens -= Double(count)
    }

    private mutating func refill(now: ContinuousClock.Instant) {
        guard now > time else { return }
        tokens = min(capacity, tokens + (now - time) / .seconds(1) * rate)
        time = now
    }
}
