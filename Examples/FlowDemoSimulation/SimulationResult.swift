public import EventTracking

/// What a simulation has led to.
public struct SimulationResult: Sendable, Hashable {
    /// What the people did.
    public var tally = SimulationTally()
    /// What became of their events.
    public var events = TrackerStatistics()

    /// Creates the result of a simulation in which nobody did anything.
    public init() {}

    mutating func add(_ tally: SimulationTally, _ statistics: TrackerStatistics) {
        self.tally.add(tally)
        events.tracked += statistics.tracked
        events.delivered += statistics.delivered
        events.dropped.merge(statistics.dropped, uniquingKeysWith: +)
    }
}

/// What people did, as they themselves count it: nothing here comes from an event.
public struct SimulationTally: Sendable, Hashable {
    /// How often the app was opened.
    public var visits = 0
    /// What was done in it.
    public var moves: [Move: Int] = [:]
    /// How often somebody ordered.
    public var orders = 0
    /// How many orders were paid for.
    public var purchases = 0
    /// How many of ``purchases`` were paid for after the paywall was gone.
    public var latePurchases = 0

    /// Creates the tally of people who have done nothing.
    public init() {}

    /// How often something was done.
    public func count(of move: Move) -> Int { moves[move] ?? 0 }

    /// Adds what others did.
    public mutating func add(_ other: SimulationTally) {
        visits += other.visits
        moves.merge(other.moves, uniquingKeysWith: +)
        orders += other.orders
        purchases += other.purchases
        latePurchases += other.latePurchases
    }
}
