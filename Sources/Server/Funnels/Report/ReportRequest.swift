/// What a report is asked for.
///
/// ```swift
/// let request = ReportRequest(days: .between(first, last), trend: .day, isCompared: true)
/// let report = try FunnelReport.make(from: source, funnels: funnels, request)
/// ```
public struct ReportRequest: Sendable, Hashable {
    /// The entry days of a report.
    public enum Days: Sendable, Hashable {
        /// All days between two days, both included; `nil` for no bound.
        case between(Day?, Day?)
        /// The days up to a last day, included. Where it is `nil`, they end with the funnel's newest settled day for
        /// ``ReportRequest/isSettledOnly``, else with its newest day that has entries and is not after the day of the
        /// greatest watermark.
        case last(LastDays, upTo: Day? = nil)
    }

    /// The names of the funnels; `nil` for all. Names of other funnels are ignored.
    public var funnels: [String]?
    /// The entry days.
    public var days: Days
    /// Whether to leave out open days.
    public var isSettledOnly: Bool
    /// The length of the buckets of the trend; `nil` for no trend.
    public var trend: TrendInterval?
    /// Whether to compare with the same number of days before. It needs a first and a last day.
    public var isCompared: Bool
    /// Whether to report the distribution of the times.
    public var hasTimes: Bool
    /// The bounds of the breakdowns.
    package var limits = BreakdownLimits()

    /// Creates a request, by default for the figures of all days.
    public init(
        funnels: [String]? = nil,
        days: Days = .between(nil, nil),
        isSettledOnly: Bool = false,
        trend: TrendInterval? = nil,
        isCompared: Bool = false,
        hasTimes: Bool = false
    ) {
        self.funnels = funnels
        self.days = days
        self.isSettledOnly = isSettledOnly
        self.trend = trend
        self.isCompared = isCompared
        self.hasTimes = hasTimes
    }

    /// Checks what can be checked without a store.
    ///
    /// - Throws: ``ReportRequestError``.
    public func check() throws(ReportRequestError) {
        guard case .between(let from, let to) = days else { return }
        if let from, let to, from > to { throw .firstDayAfterLast(from: from, to: to) }
        if isCompared, from == nil || to == nil { throw .comparisonWithoutDays }
    }
}

/// A report cannot be made as it was asked for.
public enum ReportRequestError: Error, Sendable, Hashable {
    /// The first day is after the last day.
    case firstDayAfterLast(from: Day, to: Day)
    /// A comparison needs a first and a last day.
    case comparisonWithoutDays
    /// A trend would have more buckets than ``TrendInterval/maximumBucketCount``.
    case tooManyBuckets(funnel: String, interval: TrendInterval, count: Int)
}

extension ReportRequestError: CustomStringConvertible {
    /// The mistake as a sentence for people.
    public var description: String {
        switch self {
        case .firstDayAfterLast(let from, let to): "the first day \(from) is after the last day \(to)"
        case .comparisonWithoutDays: "a comparison needs a first and a last day"
        case .tooManyBuckets(let funnel, let interval, let count):
            "the trend of '\(funnel)' by \(interval.rawValue) has \(count) buckets, and at most "
                + "\(TrendInterval.maximumBucketCount) can be shown: ask for fewer days or longer buckets"
        }
    }
}
