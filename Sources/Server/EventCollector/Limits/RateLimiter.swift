import Synchronization

/// Limits the rate of each write key with a token bucket for each key's name.
final class RateLimiter: Sendable {
    private let rate: Double
    private let buckets = Mutex<[String: TokenBucket]>([:])
    // In seconds. A phone that was offline for a week sends all of its events at once.
    private let burst = 10.0

    init(eventsPerSecond rate: Double) {
        self.rate = rate
    }

    /// The time that the key has to wait; `nil` if it may send now.
    func wait(_ key: WriteKey, now: ContinuousClock.Instant = .now) -> Duration? {
        withBucket(of: key, now: now) { $0.wait(now: now) }
    }

    /// Counts a request's events. A request without events counts as one event.
    func spend(_ events: Int, by key: WriteKey, now: ContinuousClock.Instant = .now) {
        withBucket(of: key, now: now) { $0.spend(max(1, events), now: now) }
    }

    private func withBucket<R>(
        of key: WriteKey,
        now: ContinuousClock.Instant,
        _ body: (inout TokenBucket) -> R
    ) -> R where R: Sendable {
        buckets.withLock { buckets in
            body(&buckets[key.name, default: TokenBucket(rate: rate, burst: burst, now: now)])
        }
    }
}
