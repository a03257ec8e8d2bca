public import FlowEvents

/// The summaries of several stores as one. Each install is in one of them, so their figures add up.
///
/// ```swift
/// let source = CombinedSource([StorePart(name: "sqlite:eu.sqlite", source: eu), StorePart(name: "sqlite:us.sqlite", source: us)])
/// let report = try FunnelReport.make(from: source, funnels: funnels, request)
/// ```
///
/// All of them must count the same funnels, in one order. A day is settled, or final, where it is so in each store.
public struct CombinedSource: SummarySource {
    private let stores: [StorePart]

    /// Creates a source from one store or more.
    public init(_ stores: [StorePart]) { self.stores = stores }

    /// The stores.
    public var parts: [StorePart] { stores }

    /// The sums of the stores' quality counts.
    public func quality() throws -> Quality {
        try stores.reduce(into: Quality()) { $0 += try $1.source.quality() }
    }

    /// The counts of one store after another.
    public func forEachCount(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: (_ value: [UInt8]?, _ outcome: Outcome, _ actors: Int64) throws -> Void
    ) throws {
        for store in stores {
            try store.source.forEachCount(funnel: funnel, byValue: byValue, in: days, body)
        }
    }

    /// The days from the first of a store to the last of a store.
    public func entryDays(funnel: Int, in range: DayRange) throws -> ClosedRange<Day>? {
        let days = try stores.compactMap { try $0.source.entryDays(funnel: funnel, in: range) }
        guard let first = days.map(\.lowerBound).min(), let last = days.map(\.upperBound).max() else { return nil }
        return first...last
    }

    /// The segments of one store after another.
    public func forEachSegment(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: (_ value: [UInt8]?, _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        for store in stores {
            try store.source.forEachSegment(funnel: funnel, byValue: byValue, in: days, body)
        }
    }

    /// The first day for which all stores have all events.
    public func firstCompleteDay(of funnel: String) throws -> Day? {
        try stores.compactMap { try $0.source.firstCompleteDay(of: funnel) }.max()
    }

    /// The transitions of the first store that has them.
    public func timeZones(of funnels: [Funnel]) throws -> TimeZoneTables {
        var tables = TimeZoneTables()
        for store in stores {
            let own = try store.source.timeZones(of: funnels)
            for name in TimeZoneTables.names(of: funnels) where tables[name] == nil {
                if let table = own[name] { tables.set(table) }
            }
        }
        return tables
    }

    /// The last of the days from which the stores know first entries.
    public func firstKnownDay(of funnel: String) throws -> Day? {
        try stores.compactMap { try $0.source.firstKnownDay(of: funnel) }.max()
    }

    /// The partitions of all stores. Their numbers repeat.
    public func topicProgress() throws -> TopicProgress {
        TopicProgress(partitions: try stores.flatMap { try $0.source.topicProgress().partitions })
    }

    /// None, because the partitions' numbers repeat: ask the ``parts``.
    public func partitionReads() throws -> [Int32: Timestamp] { [:] }
}

/// One of several stores of a report.
public struct StorePart {
    /// The store's name for people: its URL without a password.
    public var name: String
    /// A snapshot of it.
    public var source: any SummarySource

    /// Creates a part.
    public init(name: String, source: any SummarySource) {
        self.name = name
        self.source = source
    }
}
