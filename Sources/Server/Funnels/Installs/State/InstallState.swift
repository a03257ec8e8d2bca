import FlowEvents

/// The state of one install: the events that funnels need, their outcomes, and the sequence numbers that were received.
///
/// It has the recent events only, or all of them with the outcomes of the history's blocks. The outcomes are a pure function of
/// the events and are worked out again when events are added. One value serves one install after another, so that the memory
/// of its arrays is reused.
struct InstallState {
    /// Sources, sessions, values of fields, and units.
    var strings = StringTable()
    /// The texts of the ids that are neither UUIDs nor short.
    var idTexts = EventIDTexts()
    /// What the events say.
    var contents: EventContents
    /// The events, in the order of ``precedes(_:_:)``.
    var evidence: [Evidence] = []
    /// The outcomes, in order of owner, then day, archived ones first.
    var results: [DayOutcome] = []
    /// The times and details of the outcomes.
    var details = OutcomeDetails()
    /// The time of the last event in the history's blocks; `Int64.min` where they have none. Later events are recent.
    var archivedTime = Int64.min
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
    /// The events of that funnel that tell where somebody went next.
    var nextEvents: [ActorEvent] = []
    var partTexts: [StringTable.Index] = []
    /// The value of the breakdown that was found last where it is a list: mostly it is that of the next attempt, too.
    var lastList: (parts: [StringTable.Index], list: StringTable.Index)?
    var computed: [DayOutcome] = []
    var merged: [DayOutcome] = []
    var numbering = TableNumbering()
    var buffer: [UInt8] = []

    init(_ matcher: FunnelMatcher) {
        contents = EventContents(matcher)
        scratch = MatchScratch(matcher)
    }

    mutating func removeAll() {
        strings.removeAll()
        lastList = nil
        idTexts.removeAll()
        contents.removeAll()
        evidence.removeAll(keepingCapacity: true)
        results.removeAll(keepingCapacity: true)
        details.removeAll()
        archivedTime = .min
        if !entered.isEmpty { entered = [] }
        removed = RemovedEvidence()
        isCapped = false
        sequences.removeAll()
    }

    /// Removes the install from all funnels: of its state only the mark and the sequences are kept.
    mutating func cap() {
        let sequences = sequences
        removeAll()
        self.sequences = sequences
        isCapped = true
    }

    /// The index of the first recent event.
    var recentStart: Int {
        archivedTime == .min ? 0 : evidence.partitioningIndex { $0.time > archivedTime }
    }
}

// The order of events, and which are the same.
extension InstallState {
    /// The order of events: time, sequence number, id, source. Of events with equal times and sequence numbers, a funnel
    /// takes first the one that matches the lowest step; that depends on the funnel, and comes later.
    func precedes(_ lhs: Evidence, _ rhs: Evidence) -> Bool {
        if lhs.time != rhs.time { return lhs.time < rhs.time }
        if lhs.sequence != rhs.sequence { return lhs.sequence < rhs.sequence }
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
}
