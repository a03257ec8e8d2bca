public import FlowEvents

/// The decoded contents of an install's row, for comparing counts and for showing what an install did.
package struct InstallContents: Sendable, Hashable {
    /// The results, in order of funnel, actor and day.
    package let results: [InstallResult]
    /// The matching events that are kept, in the order of `semantics.md`, rule 3.
    ///
    /// Removed evidence is missing here. A capped install has no events and no results.
    package let events: [MatchedEvent]
    /// Whether the install had too many events and left the funnels: see ``FunnelBounds/standardEvidenceLimit``.
    package let isCapped: Bool
    /// The install's part of the counts of missing events.
    package let completeness: Completeness
    /// The time before which evidence may be removed: an earlier event that arrives now is late. `nil` where nothing was
    /// removed.
    package let removedBefore: Timestamp?

    /// Decodes a row.
    ///
    /// - Parameters:
    ///   - row: the row as the store has it, with all of its history.
    ///   - funnels: the funnels that the store counts, in their order.
    /// - Throws: ``DamagedState`` where it cannot be read.
    package init(_ row: StoredInstall, funnels: [Funnel]) throws(DamagedState) {
        var state = InstallState(funnelCount: funnels.count)
        do {
            try state.decode(row, CatalogView(row.history))
        } catch {
            throw DamagedState(row)
        }
        self.init(state, funnels: funnels)
    }

    init(_ state: InstallState, funnels: [Funnel]) {
        isCapped = state.isCapped
        completeness = state.sequences.completeness
        removedBefore = state.removed.horizon.map { Timestamp(milliseconds: $0) }
        let strings = state.strings
        results = state.joinedResults.map { best in
            InstallResult(
                funnel: best.owner.funnel,
                session: best.owner.session.map { Array(strings[$0]) },
                value: best.owner.value.map { Array(strings[$0]) },
                day: best.day,
                depth: best.depth,
                times: best.times
            )
        }
        events = state.evidence.map { event in
            MatchedEvent(
                time: Timestamp(milliseconds: event.time),
                sequence: event.sequence,
                id: state.text(of: event.id),
                source: Array(strings[event.source]),
                session: event.session.map { Array(strings[$0]) },
                steps: funnels.indices.map { state.signatures.mask(event.signature, funnel: $0) }
            )
        }
    }
}

/// The best attempt of one actor on one day.
public struct InstallResult: Sendable, Hashable {
    /// The index of the funnel in the store's funnels.
    public var funnel: Int
    /// The `session_id`, where sessions are counted.
    public var session: [UInt8]?
    /// The breakdown value, as text; `nil` for all attempts.
    public var value: [UInt8]?
    /// The UTC day of the attempt's first event.
    public var day: Day
    /// The number of steps met; 1 or more.
    public var depth: Int
    /// The milliseconds from each step met to the next.
    public var times: [Int64]

    /// Creates a result from its parts.
    public init(funnel: Int, session: [UInt8]?, value: [UInt8]?, day: Day, depth: Int, times: [Int64]) {
        self.funnel = funnel
        self.session = session
        self.value = value
        self.day = day
        self.depth = depth
        self.times = times
    }
}

/// An event that matches at least one step, as the evidence keeps it.
public struct MatchedEvent: Sendable, Hashable {
    /// The event's `time`.
    public var time: Timestamp
    /// The event's `sequence`, 0 where it has none.
    public var sequence: Int64
    /// The event's `id`.
    public var id: [UInt8]
    /// The event's `source`.
    public var source: [UInt8]
    /// The event's `session_id`.
    public var session: [UInt8]?
    /// For each funnel, the steps that the event matches, step k as bit k − 1.
    public var steps: [UInt32]
}
