/// The state of one install: its matching events, their results, and the sequence numbers that were received.
///
/// It has the recent evidence only, or all evidence together with the ``blocks`` of the history. The results are a pure
/// function of the evidence and are computed again when evidence is added. One value serves one install after another,
/// so that the memory of its arrays is reused.
struct InstallState {
    /// Sources, sessions, breakdown values, values to count by, and units.
    var strings = StringTable()
    /// The ids that are not UUIDs.
    var idTexts = EventIDTexts()
    var signatures: SignatureTable
    /// The matching events, in the order of ``precedes(_:_:)``.
    var evidence: [Evidence] = []
    /// The results of the attempts that begin in the recent evidence, in order of owner, then day.
    var results: [DayBest] = []
    /// The times and amounts of the results, those of the blocks included.
    var details = ResultDetails()
    /// The blocks that older evidence belongs to, in order of time; empty where the state has the recent evidence only.
    var blocks: [HistoryBlock] = []
    /// The actors of funnels that count first entries only whose first event is in blocks that the state does not have.
    var entered: Set<DayBest.Owner> = []
    /// The summary of the evidence that was removed.
    var removed = RemovedEvidence()
    /// Whether the install had too many events and left the funnels. Of a capped install only the sequences are kept.
    var isCapped = false
    /// The sequence numbers of all its events, whatever they match.
    var sequences = InstallSequences()

    // Kept between calls to reuse their memory.
    var match: EventMatch
    var attempts = Attempts()
    /// The results that are computed, by part: for each block, and for the recent evidence.
    var computed: [[DayBest]] = []
    var merged: [DayBest] = []
    var numbering = TableNumbering()
    var buffer: [UInt8] = []

    init(_ layout: SignatureLayout) {
        signatures = SignatureTable(layout)
        match = layout.emptyMatch
    }

    mutating func removeAll() {
        strings.removeAll()
        idTexts.removeAll()
        signatures.removeAll()
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
        if lhs.id.isUUID, rhs.id.isUUID {
            // Lower-case hexadecimal digits sort as their values do.
            if lhs.id.high != rhs.id.high { return lhs.id.high < rhs.id.high }
            if lhs.id.low != rhs.id.low { return lhs.id.low < rhs.id.low }
        } else {
            let (left, right) = (text(of: lhs.id), text(of: rhs.id))
            if left != right { return left.lexicographicallyPrecedes(right) }
        }
        return lhs.source != rhs.source && strings.precedes(lhs.source, rhs.source)
    }

    /// Whether both are copies of one event.
    func isSameEvent(_ lhs: Evidence, _ rhs: Evidence) -> Bool {
        guard lhs.source == rhs.source else { return false }
        if let left = lhs.id.text {
            guard let right = rhs.id.text else { return false }
            return idTexts[left] == idTexts[right]
        }
        return lhs.id.isSameUUID(as: rhs.id)
    }

    /// A hash of the event's source and id. Events with different hashes are different events.
    func identityHash(_ event: Evidence) -> Int {
        var hasher = Hasher()
        hasher.combine(event.source)
        if let text = event.id.text {
            hasher.combine(idTexts[text])
        } else {
            hasher.combine(event.id.high)
            hasher.combine(event.id.low)
        }
        return hasher.finalize()
    }

    func text(of id: EventID) -> [UInt8] {
        id.text.map { Array(idTexts[$0]) } ?? id.uuidText
    }
}
