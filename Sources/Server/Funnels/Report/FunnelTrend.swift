/// The figures of one bucket of a trend.
///
/// An actor counts once in each bucket, so buckets do not add up to the whole range.
public struct TrendBucket: Sendable, Hashable {
    /// The first day of the bucket, inclusive.
    public var from: Day
    /// The last day of the bucket, inclusive.
    public var to: Day
    /// The state of the last day.
    public var state: DayState
    /// The figures of each step. They have no distribution of times.
    public var steps: [StepResult]
}

/// The figures of the same number of days before, for comparison.
public struct FunnelComparison: Sendable, Hashable {
    /// The first day, inclusive.
    public var from: Day
    /// The last day, inclusive.
    public var to: Day
    /// The figures of each step.
    public var steps: [StepComparison]
}

/// The earlier figures of one step, and the difference of the later ones from them.
public struct StepComparison: Sendable, Hashable {
    /// The number of actors that reached the step.
    public var count: Int
    /// ``count`` divided by the count of the first step; `nil` where that is 0.
    public var conversionFromFirst: Ratio?
    /// The later conversion from the first step minus the earlier one; `nil` for the first step and where one of them
    /// is `nil`.
    public var difference: Ratio?
    /// The 95 % interval of ``difference``; `nil` for the first step and with fewer than
    /// ``ScoreInterval/leastCount`` actors in either.
    public var differenceInterval: ScoreInterval?
}

extension StepComparison {
    /// Compares the counts of all steps of two ranges of days.
    static func compare(_ new: [Int], with old: [Int]) -> [StepComparison] {
        new.indices.map { index in
            StepComparison(
                count: old[index],
                conversionFromFirst: Ratio(old[index], of: old[0]),
                difference: index == 0 ? nil : Ratio(new[index], of: new[0], minus: old[index], of: old[0]),
                differenceInterval: index == 0
                    ? nil : ScoreInterval(new[index], of: new[0], minus: old[index], of: old[0])
            )
        }
    }
}
