/// Keeps what repeats itself from filling the log.
struct Notices {
    private var last: [String: ContinuousClock.Instant] = [:]
    private let interval: Duration = .seconds(10)

    /// Runs `body` the first time that `name` comes up.
    mutating func once(_ name: String, now: ContinuousClock.Instant = .now, _ body: () -> Void) {
        guard last[name] == nil else { return }
        last[name] = now
        body()
    }

    /// Runs `body` at most once in ten seconds for one `name`.
    mutating func limited(_ name: String, now: ContinuousClock.Instant = .now, _ body: () -> Void) {
        if let last = last[name], last.duration(to: now) < interval { return }
        last[name] = now
        body()
    }
}
