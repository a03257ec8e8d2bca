/// How long actors took to reach a step.
public struct StepTimes: Sendable, Hashable {
    /// The times from the first step.
    public var fromFirst: TimeDistribution
    /// The times from the previous step.
    public var fromPrevious: TimeDistribution

    /// Creates times from their parts.
    public init(fromFirst: TimeDistribution, fromPrevious: TimeDistribution) {
        self.fromFirst = fromFirst
        self.fromPrevious = fromPrevious
    }
}

/// The distribution of the times of the actors that reached a step: exact percentiles and a histogram.
public struct TimeDistribution: Sendable, Hashable {
    /// The number of times within some bounds.
    public struct Bucket: Sendable, Hashable {
        /// The least time, inclusive, in milliseconds.
        public var from: Int64
        /// The bound of the times, exclusive, in milliseconds; `nil` for no bound.
        public var to: Int64?
        /// The number of actors.
        public var count: Int

        /// Creates a bucket from its parts.
        public init(from: Int64, to: Int64?, count: Int) {
            self.from = from
            self.to = to
            self.count = count
        }
    }

    /// The percentiles of a report, in percent.
    public static let percents: [Int] = [10, 25, 50, 75, 90, 95]

    /// The bounds between the buckets, in milliseconds, from one second to 30 days.
    public static let bounds: [Int64] = {
        let spans: [(unit: Int64, counts: [Int64])] = [
            (1000, [1, 2, 5, 10, 30]), (60_000, [1, 2, 5, 10, 30]), (3_600_000, [1, 2, 6, 12]),
            (86_400_000, [1, 2, 3, 7, 14, 30]),
        ]
        return spans.flatMap { span in span.counts.map { $0 * span.unit } }
    }()

    /// The times at rank ⌈p · n / 100⌉ of the n sorted times for each p of ``percents``, in milliseconds; `nil` where no
    /// actor reached the step.
    public var percentiles: [Int64?]
    /// The number of actors between the ``bounds``, from 0 on. The last bucket has no bound.
    public var histogram: [Bucket]

    /// Creates a distribution from its parts.
    public init(percentiles: [Int64?], histogram: [Bucket]) {
        self.percentiles = percentiles
        self.histogram = histogram
    }

    /// Returns one of the ``percentiles`` by its percent; `nil` for another percent.
    public func percentile(_ percent: Int) -> Int64? {
        Self.percents.firstIndex(of: percent).flatMap { percentiles.indices.contains($0) ? percentiles[$0] : nil }
    }
}

extension TimeDistribution {
    /// Reads the distribution from a search for ``percents`` and ``bounds``.
    init(_ search: TimeSearch) throws(DamagedBytes) {
        var percentiles: [Int64?] = []
        for percent in Self.percents { percentiles.append(try search.time(atPercent: Int64(percent))) }
        self.percentiles = percentiles
        histogram = []
        var (from, below): (Int64, Int64) = (0, 0)
        for bound in Self.bounds {
            let count = try search.count(below: bound)
            histogram.append(Bucket(from: from, to: bound, count: Int(count &- below)))
            (from, below) = (bound, count)
        }
        histogram.append(Bucket(from: from, to: nil, count: Int(search.count &- below)))
    }
}
