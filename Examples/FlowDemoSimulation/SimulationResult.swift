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
