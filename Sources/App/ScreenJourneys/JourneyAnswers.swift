public import FlowEvents

/// The visits to one screen.
public struct ScreenVisits: Sendable, Hashable {
    /// The screen's name.
    public let screen: String
    /// The number of visits.
    public let count: Int
    /// The sum of the visits' weights. A visit weighs 1 now, ½ after the half-life, ¼ after two half-lives, and so on.
    public let weight: Double
    /// The time of the last visit.
    public let last: Timestamp
}

/// A screen where a person stopped.
public struct Stop: Sendable, Hashable {
    /// The name of the screen.
    public let screen: String
    /// The item that the screen showed; `nil` if its screen view named none.
    public let item: String?
    /// The time at which the screen became current.
    public let time: Timestamp
}

/// The views of paywalls.
public struct PaywallViews: Sendable, Hashable {
    /// The number of views.
    public let count: Int
    /// The time of the last view; `nil` if there is none.
    public let last: Timestamp?
}
