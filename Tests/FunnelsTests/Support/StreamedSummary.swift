import Funnels

/// A summary with what is known of the topic, which counts how often it is read.
final class StreamedSummary<Base: SummarySource>: PartialSummary {
    private let base: Base
    private let state: TopicProgress
    private(set) var passes = 0
    private(set) var segments = 0

    init(_ base: Base, _ state: TopicProgress = TopicProgress()) {
        self.base = base
        self.state = state
    }

    func quality() throws -> Quality { try base.quality() }

    func topicProgress() -> TopicProgress { state }

    func forEachCount(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: ([UInt8]?, Outcome, Int64) throws -> Void
    ) throws {
        try base.forEachCount(funnel: funnel, byValue: byValue, in: days, body)
    }

    func entryDays(funnel: Int, in days: DayRange) throws -> ClosedRange<Day>? {
        try base.entryDays(funnel: funnel, in: days)
    }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: ([UInt8]?, Day, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        passes += 1
        try base.forEachSegment(funnel: funnel, byValue: byValue, in: days) {
            segments += 1
            try body($0, $1, $2)
        }
    }
}
