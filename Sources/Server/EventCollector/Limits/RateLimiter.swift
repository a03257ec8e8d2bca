import Synchronization

/// Limits the rate of each name with a token bucket: the events of write keys, or the failed requests of addresses.
final class RateLimiter: Sendable {
    private let rate: Double
    private let buckets = Mutex<[String: TokenBucket]>([:])
    // In seconds. A phone that was offline for a week sends all of its events at once.
    private let burst = 10.0
    private let maximumCount: Int

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - rate: the tokens of each name per second.
    ///   - maximumCount: the number of names to remember. Beyond it, the names with full buckets are forgotten, and all
    ///     names if there is none.
    init(perSecond rate: Double, maximumCount: Int = 10_000) {
        self.rate = rate
        self.maximumCount = maximumCount
    }

    /// The time that the name has to wait; `nil` if it may send now.
    func wait(_ name: String, now: ContinuousClock.Instant = .now) -> Duration? {
        withBucket(of: name, now: now) { $0.wait(now: now) }
    }

    /// Counts a request, as one event or more.
    func spend(_ events: Int, by name: String, now: ContinuousClock.Instant = .now) {
        withBucket(of: name, now: now) { $0.spend(max(1, events), now: now) }
    }

    private func withBucket<R>(
        of name: String,
        now: ContinuousClock.Instant,
        _ body: (inout TokenBucket) -> R
    ) -> R where R: Sendable {
        buckets.withLock { buckets in
            if buckets.count >= maximumCount, buckets[name] == nil {
                for (name, var bucket) in buckets where bucket.isFull(now: now) { buckets[name] = nil }
                if buckets.count >= maximumCount { buckets = [:] }
            }
            return body(&buckets[name, default: TokenBucket(rate: rate, burst: burst, now: now)])
        }
    }
}
