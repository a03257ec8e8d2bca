/// Keeps repeated messages from filling the log.
struct LogThrottle {
    private var last: [String: ContinuousClock.Instant] = [:]
    private let interval: Duration = .seconds(10)

    /// Runs `body` on the first call with this `name`, and never again.
    mutating func once(_ name: String, now: ContinuousClock.Instant = .now, _ body: () -> Void) {
        guard last[name] == nil else { return }
        last[name] = now
        body()
    }

    /// Runs `body` at most once in ten seconds for each `name`.
    mutating func limited(_ name: String, now: ContinuousClock.Instant = .now, _ body: () -> Void) {
        if let last = last[name], last.duration(to: now) < interval { return }
        last[name] = now
        body()
    }
}
