/// How much ``Journeys`` keeps, and what it takes for a session and a paywall.
public struct JourneysConfiguration: Sendable, Hashable {
    /// Visits older than this are deleted; at least 0.
    public var maximumAge: Duration
    /// Of more visits than these, the oldest are deleted; at least 1.
    public var maximumCount: Int
    /// A new session begins when this long passes without a visit. One also begins with each ``Journeys``: a person who
    /// comes back wants to go on where the app was left, however short the pause.
    public var sessionTimeout: Duration
    /// The names of paywalls. A screen view with a paywall source is one as well.
    public var paywalls: Set<String>

    /// Creates a configuration; by default 90 days and 10,000 visits, which are about 1 MB, are kept.
    public init(
        maximumAge: Duration = .seconds(90 * 86_400),
        maximumCount: Int = 10_000,
        sessionTimeout: Duration = .seconds(30 * 60),
        paywalls: Set<String> = ["paywall"]
    ) {
        self.maximumAge = max(.zero, maximumAge)
        self.maximumCount = max(1, maximumCount)
        self.sessionTimeout = sessionTimeout
        self.paywalls = paywalls
    }
}
