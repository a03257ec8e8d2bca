import Synchronization

/// How many events each write key may send: one bucket for each key's name.
final class RateLimiter: Sendable {
    private let rate: Double
    private let buckets = Mutex<[String: TokenBucket]>([:])
    // A phone that comes back after a week sends what it has in one go.
    private let burst = 10.0

    init(eventsPerSecond rate: Double) {
        self.rate = rate
    }

    /// How long the key has to wait; `nil` where it may send.
    func wait(_ key: WriteKey, now: ContinuousClock.Instant = .now) -> Duration? {
        withBucket(of: key, now: now) { $0.wait(now: now) }
    }

    /// Counts a request. One without events counts as one event.
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
