public import FlowEvents

/// How often a screen was visited.
public struct ScreenVisits: Sendable, Hashable {
    /// The screen's name.
    public let screen: String
    /// How many visits there were.
    public let count: Int
    /// The visits, each weighed by its age: 1 for one of now, ½ after the half-life, ¼ after two.
    public let weight: Double
    /// When it was visited last.
    public let last: Timestamp
}

/// Where a session stopped.
public struct Stop: Sendable, Hashable {
    /// The last screen of the session.
    public let screen: String
    /// When it became current.
    public let time: Timestamp
}

/// How often a paywall was seen.
public struct PaywallViews: Sendable, Hashable {
    /// How many times.
    public let count: Int
    /// When last, `nil` where never.
    public let last: Timestamp?
}
