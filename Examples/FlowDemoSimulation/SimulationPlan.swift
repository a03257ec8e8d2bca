public import FlowEvents

/// The people, the period and the seed of a simulation. The same plan always has the same result.
public struct SimulationPlan: Sendable, Hashable {
    /// The numbers of the people. The actions of a person depend on the number and the seed.
    public var people: Range<Int>
    /// The start of the period.
    public var start: Timestamp
    /// The end of the period.
    public var end: Timestamp
    /// A different seed gives different people.
    public var seed: UInt64
    /// Whether people first open the app by day. Otherwise they come at any time of the period.
    public var followsDay = true

    /// Creates a plan.
    public init(people: Range<Int>, start: Timestamp, end: Timestamp, seed: UInt64) {
        self.people = people
        self.start = start
        self.end = end
        self.seed = seed
    }

    /// Creates a plan for people who use the app now: one more comes every second.
    ///
    /// - Parameters:
    ///   - people: the number of people.
    ///   - now: the current time.
    ///   - seed: a different seed gives different people.
    public init(people: Int, from now: Timestamp, seed: UInt64) {
        self.init(
            people: 0..<people,
            start: now,
            end: Timestamp(milliseconds: now.milliseconds + Int64(people) * Self.pause),
            seed: seed
        )
        followsDay = false
    }

    /// The time from one person to the next, in milliseconds.
    private static let pause: Int64 = 1_000

    /// Creates a plan for whole days in UTC, up to the last midnight.
    ///
    /// Because of the whole days, the result does not depend on the time at which the simulation runs.
    ///
    /// - Parameters:
    ///   - people: the number of people.
    ///   - days: the number of days, at least 1.
    ///   - now: the current time.
    ///   - seed: a different seed gives different people.
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
