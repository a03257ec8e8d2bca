/// The length of the buckets of a trend.
public enum TrendInterval: String, Sendable, Hashable, CaseIterable {
    /// Each day is a bucket.
    case day
    /// Each week is a bucket. Weeks begin on Monday.
    case week
    /// Each calendar month is a bucket.
    case month

    /// The greatest number of buckets of one trend.
    public static let maximumBucketCount = 1000

    /// Returns the number of buckets that contain the days from `first` to `last`, both included.
    func bucketCount(from first: Day, to last: Day) -> Int {
        switch self {
        case .day: first.count(through: last)
        case .week: first.monday.count(through: last.monday) / 7 + 1
        case .month: last.month - first.month + 1
        }
    }

    /// Returns the days of all buckets from `first` to `last`, both included. The first and the last bucket are clipped
    /// to these days.
    func buckets(from first: Day, to last: Day) -> [ClosedRange<Day>] {
        guard first <= last else { return [] }
        var result: [ClosedRange<Day>] = []
        var start = first
        while start <= last {
            let end = min(last, self.last(inBucketOf: start))
            result.append(start...end)
            start = end.advanced(by: 1)
        }
        return result
    }

    private func last(inBucketOf day: Day) -> Day {
        switch self {
        case .day: day
        case .week: day.monday.advanced(by: 6)
        case .month: day.firstOfMonth(plus: 1).advanced(by: -1)
        }
    }
}
