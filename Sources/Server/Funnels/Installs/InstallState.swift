/// What is known of one install: its matching events, the results that they give, and which numbers have come.
///
/// The results are a pure function of the evidence, worked out again where evidence was added. One value is used for
/// one install after another, so that its arrays' memory is used again.
struct InstallState {
    /// Sources, sessions and breakdown values. Only ever appended to, so that results keep their numbers.
    var strings = StringTable()
    /// The ids that are not UUIDs.
    var idTexts: [[UInt8]] = []
    var signatures: SignatureTable
    /// In the order of `precedes`.
    var evidence: [Evidence] = []
    /// In the order of owner, then day.
    var results: [DayBest] = []
    /// What is left of evidence that was removed.
    var past = RemovedEvidence()
    /// Whether it had too many events and left the funnels: then nothing else is kept but the numbers.
    var isCapped = false
    /// The numbers of all its events, whatever they match.
    var sequences = InstallSequences()

    // Kept between calls for their memory.
    var masks: [UInt32]
    var values: [Int32]
    var attempts = Attempts()

    init(funnelCount: Int) {
        signatures = SignatureTable(funnelCount: funnelCount)
        masks = Array(repeating: 0, count: funnelCount)
        values = Array(repeating: 0, count: funnelCount)
    }

    mutating func removeAll() {
        strings.removeAll()
        idTexts.removeAll(keepingCapacity: true)
        signatures.removeAll()
        evidence.removeAll(keepingCapacity: true)
        results.removeAll(keepingCapacity: true)
        past = RemovedEvidence()
        isCapped = false
        sequences.removeAll()
    }

    /// The order of `semantics.md`, rule 3, but for the lowest step, which depends on the funnel.
    func precedes(_ lhs: Evidence, _ rhs: Evidence) -> Bool {
        if lhs.time != rhs.time { return lhs.time < rhs.time }
        if lhs.sequence != rhs.sequence { return lhs.sequence < rhs.sequence }
        return precedesByName(lhs, rhs)
    }

    /// The order by `id`, then `source`, by their bytes.
    func precedesByName(_ lhs: Evidence, _ rhs: Evidence) -> Bool {
        if lhs.id.isUUID, rhs.id.isUUID {
            // Lower-case hexadecimal digits are in the order of the values that they stand for.
            if lhs.id.high != rhs.id.high { return lhs.id.high < rhs.id.high }
            if lhs.id.low != rhs.id.low { return lhs.id.low < rhs.id.low }
        } else {
            let (left, right) = (text(of: lhs.id), text(of: rhs.id))
            if left != right { return left.lexicographicallyPrecedes(right) }
        }
        let (left, right) = (Int(lhs.source), Int(rhs.source))
        return left != right && strings.strings[left].lexicographicallyPrecedes(strings.strings[right])
    }

    /// Whether both are copies of one event.
    func isSameEvent(_ lhs: Evidence, _ rhs: Evidence) -> Bool {
        guard lhs.source == rhs.source, lhs.id.isUUID == rhs.id.isUUID else { return false }
        if lhs.id.isUUID { return lhs.id.high == rhs.id.high && lhs.id.low == rhs.id.low }
        return idTexts[Int(lhs.id.text)] == idTexts[Int(rhs.id.text)]
    }

    /// A number for an event's name: different numbers are different events.
    func nameHash(_ event: Evidence) -> Int {
        var hasher = Hasher()
        hasher.combine(event.source)
        if event.id.isUUID {
            hasher.combine(event.id.high)
            hasher.combine(event.id.low)
        } else {
            hasher.combine(idTexts[Int(event.id.text)])
        }
        return hasher.finalize()
    }

    func text(of id: EventID) -> [UInt8] {
        id.isUUID ? id.uuidText : idTexts[Int(id.text)]
    }
}
