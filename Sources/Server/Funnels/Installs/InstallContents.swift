public import FlowEvents

/// The decoded contents of an install's row, for comparing counts and for showing what an install did.
package struct InstallContents: Sendable, Hashable {
    /// The results, in order of funnel, actor and day.
    package let results: [InstallResult]
    /// The matching events that are kept, in order of time, sequence number, id and source.
    ///
    /// Removed evidence is missing here. A capped install has no events and no results.
    package let events: [MatchedEvent]
    /// Whether the install had too many events and left the funnels: see ``FunnelBounds/standardEvidenceLimit``.
    package let isCapped: Bool
    /// The install's part of the counts of missing events.
    package let completeness: Completeness

    /// Decodes a row.
    ///
    /// - Parameters:
    ///   - row: the row as the store has it, with all of its history.
    ///   - funnels: the funnels that the store counts, in their order.
    /// - Throws: ``DamagedState`` where it cannot be read.
    package init(_ row: StoredInstall, funnels: [Funnel]) throws(DamagedState) {
        var state = InstallState(FunnelMatcher(funnels: funnels))
        do {
            try state.decode(row)
        } catch {
            throw DamagedState(row)
        }
        self.init(state, funnels: funnels)
    }

    init(_ state: InstallState, funnels: [Funnel]) {
        isCapped = state.isCapped
        completeness = state.sequences.completeness
        var state = state
        let strings = state.strings
        results = state.results.counting().map { best in
            var result = InstallResult(
                funnel: best.owner.funnel,
                actor: best.owner.actor.map { Array(strings[$0]) },
                value: best.owner.value.map { Array(strings[$0]) },
                day: best.day,
                outcome: best.outcome,
                times: Array(state.details.times(of: best))
            )
            state.details.forEach(of: best) { detail in
                let text = detail.text.map { Array(strings[$0]) }
                result.details.append(
                    InstallResult.Detail(subject: detail.subject, text: text, amount: detail.amount)
                )
            }
            return result
        }
        let values = state.contents.matcher.values
        events = state.evidence.map { event in
            MatchedEvent(
                time: Timestamp(milliseconds: event.time),
                sequence: event.sequence,
                id: state.idTexts.text(of: event.id),
                source: Array(strings[event.source]),
                session: event.session.map { Array(strings[$0]) },
                steps: funnels.indices.map { state.contents.match(event.content, funnel: $0).steps },
                exclusions: funnels.indices.map { state.contents.match(event.content, funnel: $0).exclusions },
                isNext: funnels.indices.map { state.contents.match(event.content, funnel: $0).isNext },
                actors: funnels.indices.map { funnel in
                    guard let field = values[funnel].actor,
                        state.contents.match(event.content, funnel: funnel).takesPart
                    else { return nil }
                    let text = state.text(field, of: event.content)
                    return Array(state.strings[text])
                }
            )
        }
    }
}

/// The best attempt of one actor on one day.
public struct InstallResult: Sendable, Hashable {
    /// What the attempt adds to a sum, where the actor went next, or the attempt's breakdown value.
    public struct Detail: Sendable, Hashable {
        /// What it is about.
        package var subject: OutcomeDetail.Subject
        /// The unit of the sum, the place or the value, as text; `nil` for an event without an amount.
        public var text: [UInt8]?
        /// The amount, in the last of the sum's decimals.
        public var amount: Int64
    }

    /// The index of the funnel in the store's funnels.
    public var funnel: Int
    /// The `session_id` where sessions are counted, and the value where a field's values are; else `nil`.
    public var actor: [UInt8]?
    /// The breakdown value, as text; `nil` for all attempts.
    public var value: [UInt8]?
    /// The day of the attempt's first event.
    public var day: Day
    /// What became of it.
    public var outcome: Outcome
    /// The milliseconds from the first event to that of each other step met, in order of the steps.
    public var times: [Int64]
    /// First what it adds to the sums of the steps that it met, in the order of the steps. Then where the actor went next, if an
    /// event tells. Last the attempt's breakdown value, in a result of all attempts.
    public var details: [Detail] = []
}

/// An event that a funnel needs, as the evidence keeps it.
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
    /// For each funnel, the gaps in which the event ends an attempt, the gap from step k to step k + 1 as bit k − 1.
    public var exclusions: [UInt32]
    /// For each funnel, whether the event can tell where an actor went next.
    public var isNext: [Bool]
    /// For each funnel that counts the values of a field, the value.
    public var actors: [[UInt8]?]
}
