/// Exponential backoff with full jitter: a random time up to a limit that doubles with each failure in a row.
///
/// Full jitter spreads the clients of a server that comes back better than a jitter of a part; see
/// [Exponential Backoff And Jitter](https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
public struct Backoff: Sendable, Hashable {
    /// The limit after the first failure.
    public var base: Duration
    /// The limit after any number of failures.
    public var maximum: Duration

    /// Creates a backoff.
    public init(base: Duration = .seconds(1), maximum: Duration = .seconds(300)) {
        self.base = base
        self.maximum = maximum
    }

    /// How long to wait.
    ///
    /// - Parameters:
    ///   - failures: how many there were in a row, the last included; at least 1.
    ///   - jitter: a random number, at least 0 and below 1.
    public func delay(afterFailures failures: Int, jitter: Double) -> Duration {
        // Doubling stops before it overflows: 2³² times any base that makes sense is past any maximum that does.
        let limit = min(maximum, base * (1 << min(max(0, failures - 1), 32)))
        return limit * jitter
    }
}
