/// How many visits ``Journeys`` keeps, and what counts as a session and as a paywall.
public struct JourneysConfiguration: Sendable, Hashable {
    /// The maximum age of visits; at least 0. Older ones are deleted.
    public var maximumAge: Duration
    /// The maximum number of visits; at least 1. Beyond it, the oldest are deleted.
    public var maximumCount: Int
    /// A new session begins after this duration without a visit. Each ``Journeys`` object begins one too, because a launch
    /// of the app is a new session even after a short pause.
    public var sessionTimeout: Duration
    /// The names of screens that are paywalls. A screen view with a paywall source counts as a paywall too.
    public var paywalls: Set<String>
    /// The property of a screen view that names the item on the screen, such as an article.
    public var itemProperty: String

    /// Creates a configuration. The default keeps 90 days and at most 10,000 visits, about 1 MB.
    public init(
        maximumAge: Duration = .seconds(90 * 86_400),
        maximumCount: Int = 10_000,
        sessionTimeout: Duration = .seconds(30 * 60),
        paywalls: Set<String> = ["paywall"],
        itemProperty: String = "item_id"
    ) {
        self.maximumAge = max(.zero, maximumAge)
        self.maximumCount = max(1, maximumCount)
        self.sessionTimeout = sessionTimeout
        self.paywalls = paywalls
        self.itemProperty = itemProperty
    }
}
