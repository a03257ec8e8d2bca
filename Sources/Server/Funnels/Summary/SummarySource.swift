public import FlowEvents

/// The summary of a store, from which a report is made.
public protocol SummarySource {
    /// The quality counts of the store.
    func quality() throws -> Quality

    /// Calls `body` with the number of actors of each breakdown value and outcome over a range of days, in any order. An actor
    /// counts once: by its earliest attempt of the greatest rank.
    ///
    /// - Parameters:
    ///   - funnel: the index of the funnel in the definitions.
    ///   - byValue: `false` for the counts of all actors, `true` for those of the breakdown values.
    ///   - days: the days of the attempts' first events.
    ///   - body: is called with the text of the breakdown value (`nil` for all actors), the outcome, and the number of actors.
    func forEachCount(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: (_ value: [UInt8]?, _ outcome: Outcome, _ actors: Int64) throws -> Void
    ) throws

    /// Returns the first and the last of some days on which actors entered a funnel; `nil` where there is none.
    ///
    /// - Parameter funnel: the index of the funnel in the definitions.
    func entryDays(funnel: Int, in days: DayRange) throws -> ClosedRange<Day>?

    /// Calls `body` with each segment of one funnel whose day is in the range, in any order.
    ///
    /// - Parameters:
    ///   - funnel: the index of the funnel in the definitions.
    ///   - byValue: `false` for the segments of all actors, `true` for those of the breakdown values.
    ///   - days: the days of the attempts' first events.
    ///   - body: is called with the text of the breakdown value (`nil` for all actors), the day, and the encoded
    ///     ``SummarySegment``, whose bytes are valid during the call.
    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: (_ value: [UInt8]?, _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws

    /// The first day for which a funnel has all events, where it was counted from a topic whose first records had been
    /// deleted; `nil` where it has all events of all days.
    func firstCompleteDay(of funnel: String) throws -> Day?

    /// Returns the transitions of the time zones that the store keeps for its funnels.
    func timeZones(of funnels: [Funnel]) throws -> TimeZoneTables

    /// The first day that was read of a funnel that counts first entries only, where the topic had lost earlier records;
    /// `nil` for other funnels.
    func firstKnownDay(of funnel: String) throws -> Day?

    /// The stores whose summaries this one combines; none for the summary of one store.
    var parts: [StorePart] { get }

    /// Returns what the store knows of the topic's partitions.
    func topicProgress() throws -> TopicProgress

    /// Returns when a consumer last read each partition, or saw that it had read all of it. A partition that was never read
    /// is left out.
    func partitionReads() throws -> [Int32: Timestamp]
}

extension SummarySource {
    /// None: it is the summary of one store.
    public var parts: [StorePart] { [] }
}
