/// The state of one install: its matching events, their results, and the sequence numbers that were received.
///
/// It has the recent evidence only, or all evidence together with the ``blocks`` of the history. The results are a pure
/// function of the evidence and are computed again when evidence is added. One value serves one install after another,
/// so that the memory of its arrays is reused.
struct InstallState {
    /// Sources, sessions, breakdown values, values to count by, and units.
    var strings = StringTable()
    /// The texts of the ids that are neither UUIDs nor short.
    var idTexts = EventIDTexts()
    /// What the events say.
    var contents: EventContents
    /// The matching events, in the order of ``precedes(_:_:)``.
    var evidence: [Evidence] = []
    /// The results of the attempts that begin in the recent evidence, in order of owner, then day.
    var results: [DayOutcome] = []
    /// The times and amounts of the results, those of the blocks included.
    var details = OutcomeDetails()
    /// The blocks that older evidence belongs to, in order of time; empty where the state has the recent evidence only.
    var blocks: [HistoryBlock] = []
    /// The actors of funnels that count first entries only whose first event is in blocks that the state does not have.
    var entered: Set<DayOutcome.Owner> = []
    /// The summary of the evidence that was removed.
    var removed = RemovedEvidence()
    /// Whether the install had too many events and left the funnels. Of a capped install only the sequences are kept.
    var isCapped = false
    /// The sequence numbers of all its events, whatever they match.
    var sequences = InstallSequences()

    // Kept between calls to reuse their memory.
    var scratch: MatchScratch
    var kernel = FunnelKernel()
    /// The events of one funnel, one actor after another.
    var actorEvents: [ActorEvent] = []
    /// The results that are computed, by part: for each block, and for the recent evidence.
    var computed: [[DayOutcome]] = []
    var merged: [DayOutcome] = []
    var numbering = TableNumbering()
    var buffer: [UInt8] = []

    init(_ matcher: FunnelMatcher) {
        contents = EventContents(matcher)
        scratch = MatchScratch(matcher)
    }

    mutating func removeAll() {
        strings.removeAll()
        idTexts.removeAll()
        contents.removeAll()
        evidence.removeAll(keepingCapacity: true)
        results.removeAll(keepingCapacity: true)
        details.removeAll()
        if !blocks.isEmpty { blocks = [] }
        if !entered.isEmpty { entered = [] }
        removed = RemovedEvidence()
        isCapped = false
        sequences.removeAll()
    }

    /// The order of events: time, sequence number, id, source. Of events with equal times and sequence numbers, a funnel
    /// takes first the one that matches the lowest step; that depends on the funnel, and comes later.
    func precedes(_ lhs: Evidence, _ rhs: Evidence) -> Bool {
        if lhs.time != rhs.time { return lhs.time < rhs.time }
        if lhs.sequence != rhs.sequence { return lhs.sequence < rhs.sequence }
        return precedesByName(lhs, rhs)
    }

    /// The order by `id`, then `source`, by their bytes.
    func precedesByName(_ lhs: Evidence, _ rhs: Evidence) -> Bool {
        if !isSameID(lhs.id, rhs.id) {
            return lhs.id.precedes(rhs.id)
                ?? idTexts.withText(of: lhs.id) { left in idTexts.withText(of: rhs.id) { left.precedes($0) } }
        }
        return lhs.source != rhs.source && strings.precedes(lhs.source, rhs.source)
    }

    /// Whether both are copies of one event.
    func isSameEvent(_ lhs: Evidence, _ rhs: Evidence) -> Bool {
        lhs.source == rhs.source && isSameID(lhs.id, rhs.id)
    }

    @inline(__always)
    private func isSameID(_ lhs: EventID, _ rhs: EventID) -> Bool {
        if lhs.text == nil || rhs.text == nil { return lhs.isSameInPlace(as: rhs) }
        return idTexts.withText(of: lhs) { idTexts.isText(rhs, $0) }
    }

    /// A hash of the event's source and id. Events with different hashes are different events.
    func identityHash(_ event: Evidence) -> Int {
        var hasher = Hasher()
        hasher.combine(event.source)
        if event.id.text == nil {
            hasher.combine(event.id.high)
            hasher.combine(event.id.low)
        } else {
            idTexts.withText(of: event.id) { hasher.combine(bytes: $0) }
        }
        return hasher.finalize()
    }

}
