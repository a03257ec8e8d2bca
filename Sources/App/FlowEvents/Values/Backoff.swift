/// Exponential backoff with jitter: a random part of a limit that doubles with each failure in a row.
///
/// ```swift
/// let backoff = Backoff(base: .seconds(1), maximum: .seconds(60))
/// let delay = backoff.delay(afterFailures: 3, jitter: .random(in: 0..<1))  // less than 4 seconds
/// ```
///
/// With a jitter from the whole range, the clients of a server that has failed do not return all at once. See
/// [Exponential Backoff And Jitter](https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
public struct Backoff: Sendable, Hashable {
    /// The maximum delay after the first failure.
    public var base: Duration
    /// The maximum delay after any number of failures.
    public var maximum: Duration

    /// Creates a backoff.
    public init(base: Duration = .seconds(1), maximum: Duration = .seconds(300)) {
        self.base = base
        self.maximum = maximum
    }

    /// Returns how long to wait.
    ///
    /// - Parameters:
    ///   - failures: the number of failures in a row, at least 1.
    ///   - jitter: a random number, at least 0 and below 1.
    package func delay(afterFailures failures: Int, jitter: Double) -> Duration {
        // The exponent has a limit, so that it does not overflow: 2³² times any useful base exceeds any useful maximum.
        let limit = min(maximum, base * (1 << min(max(0, failures - 1), 32)))
        return limit * jitter
    }
}
