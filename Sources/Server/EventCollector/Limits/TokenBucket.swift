/// A [token bucket](https://en.wikipedia.org/wiki/Token_bucket) that may go into debt. As long as one token is left, a
/// caller may spend more than there are. So a batch that is larger than the bucket is neither split nor refused
/// forever.
struct TokenBucket: Sendable {
    private let rate: Double
    private let capacity: Double
    private var tokens: Double
    private var time: ContinuousClock.Instant

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - rate: the tokens added per second.
    ///   - burst: the seconds until an empty bucket is full.
    init(rate: Double, burst: Double, now: ContinuousClock.Instant) {
        self.rate = rate
        capacity = rate * burst
        tokens = capacity
        time = now
    }

    /// The time until the next token can be spent; `nil` if one can be spent now.
    mutating func wait(now: ContinuousClock.Instant) -> Duration? {
        refill(now: now)
        guard tokens < 1 else { return nil }
        return .seconds((1 - tokens) / rate)
    }

    /// Whether no token is missing.
    mutating func isFull(now: ContinuousClock.Instant) -> Bool {
        refill(now: now)
        return tokens >= capacity
    }

    /// Spends tokens, even more than there are.
    mutating func spend(_ count: Int, now: ContinuousClock.Instant) {
        refill(now: now)
        tokens -= Double(count)
    }

    private mutating func refill(now: ContinuousClock.Instant) {
        guard now > time else { return }
        let seconds: Double = (now - time) / .seconds(1)
        tokens = min(capacity, tokens + seconds * rate)
        time = now
    }
}
