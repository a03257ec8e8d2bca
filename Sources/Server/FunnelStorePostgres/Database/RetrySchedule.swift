/// How long to wait before each next attempt: twice as long as before up to a bound, and a random part of that, so that
/// consumers which failed together do not come back together
/// ([full jitter](https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/)).
struct RetrySchedule {
    /// The longest wait.
    static let longest = Duration.seconds(2)
    private static let shortest = Duration.milliseconds(20)

    private var bound = Self.shortest

    /// The next wait.
    ///
    /// - Parameter share: a random number from 0 to 1.
    mutating func next(share: Double) -> Duration {
        defer { bound = min(bound * 2, Self.longest) }
        // Never none at all: a server that is starting would be asked without a pause.
        return bound * (0.25 + 0.75 * share)
    }
}
