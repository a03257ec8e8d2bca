/// What a store tells of a time in which its calls fail and are repeated, so that the operator can read it in a log.
public enum StoreOutage: Sendable, Hashable {
    /// The last call failed with this error and is repeated. The duration is that since the first failure.
    case lasting(StoreError, Duration)
    /// A call has succeeded again. The duration is that since the first failure.
    case over(Duration)
}

/// Decides what to tell of an outage: its start if it lasts, a line now and then, and its end.
package struct StoreOutageReports: Sendable {
    private var start: ContinuousClock.Instant?
    private var next: ContinuousClock.Instant?
    /// The last error of an outage that was told; `nil` if there is none, or if it may be over soon.
    package private(set) var lasting: StoreError?
    /// A restart of a server, or of its connections, is shorter and needs nobody.
    private static let shortest = Duration.seconds(2)
    private static let interval = Duration.seconds(10)

    /// Creates the reports of a store that has answered.
    package init() {}

    /// A call has failed for a temporary reason.
    ///
    /// - Returns: what to tell; `nil` for nothing.
    package mutating func failed(_ error: StoreError, now: ContinuousClock.Instant) -> StoreOutage? {
        let start = start ?? now
        self.start = start
        if now >= start + Self.shortest { lasting = error }
        guard now >= next ?? start + Self.shortest else { return nil }
        next = now + Self.interval
        return .lasting(error, now - start)
    }

    /// A call has succeeded.
    ///
    /// - Returns: what to tell; `nil` for nothing.
    package mutating func succeeded(now: @autoclosure () -> ContinuousClock.Instant) -> StoreOutage? {
        guard let start else { return nil }
        defer { self = StoreOutageReports() }
        return next == nil ? nil : .over(now() - start)
    }
}
