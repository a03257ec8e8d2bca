/// A store's summary, as a report reads it.
public protocol SummarySource {
    /// What the store has taken in.
    func quality() throws -> Quality

    /// Calls `body` with each segment of one funnel whose day is in the range, in any order.
    ///
    /// - Parameters:
    ///   - funnel: the funnel's place in the set of definitions.
    ///   - byValue: `false` for the segments of all actors together, `true` for those of the breakdown values.
    ///   - from: the first day, included; `nil` is no bound.
    ///   - to: the last day, included; `nil` is no bound.
    ///   - body: gets the breakdown value's text (`nil` for all actors together), the day, and the encoded
    ///     ``SummarySegment``, whose bytes are valid only during the call.
    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        from: Day?,
        to: Day?,
        _ body: (_ value: [UInt8]?, _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws

    /// The first day for which a funnel has all events, where it was counted from a topic that had lost its beginning;
    /// `nil` where it has every event.
    func firstCompleteDay(of funnel: String) throws -> Day?
}

extension SummarySource {
    /// `nil`: every event is there.
    public func firstCompleteDay(of funnel: String) throws -> Day? { nil }
}
