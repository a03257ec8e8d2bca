public import FlowEvents

/// Who uses the app, and when: all that the people do follows from it.
public struct SimulationPlan: Sendable, Hashable {
    /// The numbers of the people. What one does depends on the number and on nobody else.
    public var people: Range<Int>
    /// The first moment.
    public var start: Timestamp
    /// The moment before which everything has happened.
    public var end: Timestamp
    /// Other seeds are other people.
    public var seed: UInt64

    /// Creates a plan.
    public init(people: Range<Int>, start: Timestamp, end: Timestamp, seed: UInt64) {
        self.people = people
        self.start = start
        self.end = end
        self.seed = seed
    }

    /// Creates a plan over whole days in UTC, the last of which has just ended.
    ///
    /// Whole days, so that the same people do the same whenever the simulation runs.
    ///
    /// - Parameters:
    ///   - people: how many people.
    ///   - days: how many days, at least 1.
    ///   - now: nothing happens after it.
    ///   - seed: other seeds are other people.
    public init(people: Int, days: Int, before now: Timestamp, seed: UInt64) {
        let day: Int64 = 86_400_000
        // Rounded down, also before 1970.
        let midnight = now.milliseconds - (now.milliseconds % day + day) % day
        self.init(
            people: 0..<people,
            start: Timestamp(milliseconds: midnight - Int64(days) * day),
            end: Timestamp(milliseconds: midnight),
            seed: seed
        )
    }
}
