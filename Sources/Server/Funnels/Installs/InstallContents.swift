public import FlowEvents

/// What one install's row holds, readable: for checking a store and for showing what an install did.
public struct InstallContents: Sendable, Hashable {
    /// Its results, by funnel, actor and day.
    public let results: [InstallResult]
    /// Its matching events, in the order of `semantics.md`, rule 3.
    ///
    /// Those that are past are not kept; nor is anything of a capped install.
    public let events: [MatchedEvent]
    /// Whether it had too many events and left the funnels: ``FunnelBounds/standardEvidenceLimit``.
    public let isCapped: Bool

    /// Reads a row.
    ///
    /// - Parameters:
    ///   - row: an install's row as a store has it.
    ///   - funnels: the funnels that the store counts, in their order.
    /// - Throws: ``DamagedState`` where it cannot be read.
    public init(_ row: StoredInstall, funnels: [Funnel]) throws(DamagedState) {
        var state = InstallState(funnelCount: funnels.count)
        do {
            try row.state.withUnsafeBytes { try state.decode($0) }
        } catch {
            throw DamagedState(install: String(decoding: row.install, as: UTF8.self))
        }
        isCapped = state.isCapped
        let strings = state.strings.strings
        func string(_ number: Int) -> [UInt8]? { number == 0 ? nil : strings[number - 1] }
        results = state.results.map { best in
            InstallResult(
                funnel: best.owner.funnel,
                session: string(best.owner.session),
                value: string(best.owner.value),
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
                source: strings[Int(event.source)],
                session: string(Int(event.session)),
                steps: funnels.indices.map { state.signatures.mask(Int(event.signature), funnel: $0) }
            )
        }
    }
}

/// The best attempt of one actor on one day: what the day's counts have of it.
public struct InstallResult: Sendable, Hashable {
    /// The funnel's place among the store's funnels.
    public var funnel: Int
    /// The `session_id`, where sessions are counted.
    public var session: [UInt8]?
    /// The breakdown value, as text; `nil` for all attempts together.
    public var value: [UInt8]?
    /// The UTC day that the attempt's first event belongs to.
    public var day: Day
    /// The steps met; 1 or more.
    public var depth: Int
    /// The milliseconds from each step to the next that was met.
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

/// What is kept of an event that matches a step.
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
    /// For each funnel the steps that it matches, step k as bit k − 1.
    public var steps: [UInt32]
}
