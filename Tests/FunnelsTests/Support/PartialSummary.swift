import FlowEvents
import Funnels

/// A summary of which a test needs only some parts. The others are those of a store without events.
protocol PartialSummary: SummarySource {}

extension PartialSummary {
    func quality() throws -> Quality { Quality() }

    func forEachCount(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: ([UInt8]?, Outcome, Int64) throws -> Void
    ) throws {}

    func entryDays(funnel: Int, in days: DayRange) throws -> ClosedRange<Day>? { nil }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: ([UInt8]?, Day, UnsafeRawBufferPointer) throws -> Void
    ) throws {}

    func firstCompleteDay(of funnel: String) throws -> Day? { nil }
    func timeZones(of funnels: [Funnel]) throws -> TimeZoneTables { TimeZoneTables() }
    func firstKnownDay(of funnel: String) throws -> Day? { nil }
    func topicProgress() throws -> TopicProgress { TopicProgress() }
    func partitionReads() throws -> [Int32: Timestamp] { [:] }
}
