public import EventTracking
public import FlowDemoApp

/// The result of a simulation.
public struct SimulationResult: Sendable, Hashable {
    /// The actions of the people.
    public var tally = SimulationTally()
    /// The numbers of tracked, delivered and dropped events.
    public var events = TrackerStatistics()
    /// The paid orders, person by person.
    public var purchases: [SimulatedPurchase] = []

    /// Creates the result of a simulation without actions.
    public init() {}

    mutating func add(_ tally: SimulationTally, _ statistics: TrackerStatistics, _ purchases: [SimulatedPurchase]) {
        self.tally.add(tally)
        self.purchases += purchases
        events.tracked += statistics.tracked
        events.delivered += statistics.delivered
        events.dropped.merge(statistics.dropped, uniquingKeysWith: +)
    }
}

/// What is counted of a person who saw a paywall.
public struct PaywallViewer: Sendable, Hashable {
    /// The layout of the person's paywalls.
    public var layout: PaywallLayout
    /// The UTC day of the first of them: `2026-11-20`.
    public var firstDay: String

    /// Creates a viewer from its parts.
    public init(layout: PaywallLayout, firstDay: String) {
        self.layout = layout
        self.firstDay = firstDay
    }
}

/// The actions of people, counted by the simulation itself and not from events.
public struct SimulationTally: Sendable, Hashable {
    /// The number of people who opened the app.
    public var visitors = 0
    /// The number of people who saw a paywall, by its layout and the day of the first time.
    public var paywallViewers: [PaywallViewer: Int] = [:]
    /// The number of visits to the app.
    public var visits = 0
    /// The number of moves, by kind.
    public var moves: [Move: Int] = [:]
    /// The number of orders.
    public var orders = 0
    /// The number of paid orders.
    public var purchases = 0
    /// The number of ``purchases`` that were paid after the paywall was closed.
    public var latePurchases = 0

    /// Creates a tally in which all numbers are 0.
    public init() {}

    /// Returns the number of moves of a kind.
    public func count(of move: Move) -> Int { moves[move] ?? 0 }

    /// Adds the numbers of another tally.
    public mutating func add(_ other: SimulationTally) {
        visitors += other.visitors
        paywallViewers.merge(other.paywallViewers, uniquingKeysWith: +)
        visits += other.visits
        moves.merge(other.moves, uniquingKeysWith: +)
        orders += other.orders
        purchases += other.purchases
        latePurchases += other.latePurchases
    }
}
