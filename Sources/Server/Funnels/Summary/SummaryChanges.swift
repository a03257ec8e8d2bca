/// Collects the attempts that changed results add to the summary and remove from it.
struct SummaryChanges {
    /// A ``SummaryKey`` whose breakdown value is an index in ``values``.
    private struct Key: HashTableEntry {
        /// The funnel and the value; it has no actor.
        let owner: DayOutcome.Owner
        let day: Int32

        var hash: Int {
            var hash = Fingerprint()
            hash.combine(UInt64(UInt32(bitPattern: day)) << 32 | UInt64(owner.funnel))
            hash.combine(UInt64(owner.$value.code))
            return Int(hash.value)
        }
    }

    /// The key of a group of attempts: they have one ``Key`` and count between the same days.
    private struct GroupKey: HashTableEntry {
        /// The offset of the ``Key`` in ``keys``.
        let key: Int32
        let gaps: DayGaps

        func precedes(_ other: GroupKey) -> Bool { key != other.key ? key < other.key : gaps < other.gaps }

        var hash: Int {
            var hash = Fingerprint()
            hash.combine(UInt64(gaps.previous) << 32 | UInt64(gaps.next))
            hash.combine(UInt64(key))
            return Int(hash.value)
        }
    }

    private let rules: [FunnelRules]
    private var values = StringTable()
    private var keys = HashTable<Key>()
    private var groupKeys = HashTable<GroupKey>()
    // In the order of groupKeys. Attempts are added up as they come, because most end at their first step and are equal.
    private var groups: [SummaryGroup] = []
    private var counts: [OutcomeCounts] = []
    // Consecutive attempts often have the same key.
    private var last: (key: Key, index: HashTable<Key>.Index)?
    // Kept between calls to reuse their memory.
    private var oldGaps = DayGapsSearch()
    private var newGaps = DayGapsSearch()

    /// - Parameter rules: the rules of the funnels; empty for changes to which only others are added.
    init(_ rules: [FunnelRules] = []) {
        self.rules = rules
    }

    /// Removes the attempts of the `old` results and adds those of the `new` results. Both must be in order.
    ///
    /// - Parameter state: the install's state, to which the results refer.
    mutating func replace(_ old: ArraySlice<DayOutcome>, by new: ArraySlice<DayOutcome>, of state: InstallState) {
        replace(old, by: new, state.details, state.strings)
    }

    /// - Parameters:
    ///   - details: the details of the install's results.
    ///   - strings: the strings that the results refer to.
    mutating func replace(
        _ old: ArraySlice<DayOutcome>,
        by new: ArraySlice<DayOutcome>,
        _ details: OutcomeDetails,
        _ strings: StringTable
    ) {
        var (old, new) = (old, new)
        while let owner = ArraySlice.firstOwner(old, new) {
            let before = old.prefix { $0.owner == owner }
            let after = new.prefix { $0.owner == owner }
            old = old[before.endIndex...]
            new = new[after.endIndex...]
            guard !details.areEqual(before, after) else { continue }
            let value = owner.value.map { values.intern($0, of: strings) }
            oldGaps.find(before)
            newGaps.find(after)
            replace(
                before,
                by: after,
                DayOutcome.Owner(funnel: owner.funnel, actor: nil, value: value),
                details,
                strings
            )
        }
    }

    /// Replaces the days of one owner, whose gaps are found. Most days stay as they are.
    ///
    /// - Parameter owner: the owner without the actor, with the value in ``values``.
    private mutating func replace(
        _ old: ArraySlice<DayOutcome>,
        by new: ArraySlice<DayOutcome>,
        _ owner: DayOutcome.Owner,
        _ details: OutcomeDetails,
        _ strings: StringTable
    ) {
        var next = new.startIndex
        for (offset, best) in old.enumerated() {
            while next < new.endIndex, new[next].day < best.day {
                add(new[next], newGaps.gaps[next - new.startIndex], count: 1, owner, details, strings)
                next += 1
            }
            let gaps = oldGaps.gaps[offset]
            if next < new.endIndex, gaps == newGaps.gaps[next - new.startIndex], details.areEqual(best, new[next]) {
                next += 1
            } else {
                add(best, gaps, count: -1, owner, details, strings)
            }
        }
        while next < new.endIndex {
            add(new[next], newGaps.gaps[next - new.startIndex], count: 1, owner, details, strings)
            next += 1
        }
    }

    /// Adds other changes.
    mutating func add(_ other: SummaryChanges) {
        if keys.entries.isEmpty {
            self = other
            return
        }
        let own = other.keys.entries.map { key in
            let value = key.owner.value.map { values.intern($0, of: other.values) }
            return index(DayOutcome.Owner(funnel: key.owner.funnel, actor: nil, value: value), key.day)
        }
        for (offset, key) in other.groupKeys.entries.enumerated() {
            let index = index(own[Int(key.key)], key.gaps).offset
            groups[index].add(other.groups[offset])
            counts[index].add(other.counts[offset])
        }
    }

    /// The sums by key, in order. Keys whose attempts cancel out are left out.
    func deltas() -> [SummaryDelta] {
        var deltas: [SummaryDelta] = []
        var segment = SummarySegmentEncoder()
        let all = groupKeys.entries
        var order = all.indices.sorted { all[$0].precedes(all[$1]) }[...]
        while let first = order.first {
            let key = all[first].key
            var counts: [OutcomeCount] = []
            while let next = order.first, all[next].key == key {
                let gaps = all[next].gaps
                for entry in self.counts[next].entries where entry.count != 0 {
                    counts.append(OutcomeCount(gaps: gaps, outcome: entry.outcome, actors: entry.count))
                }
                segment.append(groups[next], gaps)
                order.removeFirst()
            }
            let bytes = segment.take()
            if counts.isEmpty, bytes.isEmpty { continue }
            let (owner, day) = (keys.entries[Int(key)].owner, keys.entries[Int(key)].day)
            let value = owner.value.map { Array(values[$0]) }
            deltas.append(
                SummaryDelta(
                    key: SummaryKey(funnel: owner.funnel, value: value, day: Day(number: day)),
                    counts: counts,
                    segment: bytes
                )
            )
        }
        return deltas.sorted { $0.key.precedes($1.key) }
    }

    private mutating func add(
        _ best: DayOutcome,
        _ gaps: DayGaps,
        count: Int64,
        _ owner: DayOutcome.Owner,
        _ details: OutcomeDetails,
        _ strings: StringTable
    ) {
        let index = index(index(owner, best.day.number), gaps)
        counts[index.offset].add(best.outcome, count)
        groups[index.offset].add(best, count: count, rules[owner.funnel], details, strings)
    }

    private mutating func index(_ owner: DayOutcome.Owner, _ day: Int32) -> HashTable<Key>.Index {
        if let last, last.key.day == day, last.key.owner == owner { return last.index }
        let key = Key(owner: owner, day: day)
        let index = keys.index(hash: key.hash) { $0.day == day && $0.owner == owner } ?? keys.append(key)
        last = (key, index)
        return index
    }

    private mutating func index(_ key: HashTable<Key>.Index, _ gaps: DayGaps) -> HashTable<GroupKey>.Index {
        let key = GroupKey(key: Int32(key.offset), gaps: gaps)
        if let index = groupKeys.index(hash: key.hash, where: { $0.key == key.key && $0.gaps == gaps }) {
            return index
        }
        groups.append(SummaryGroup())
        counts.append(OutcomeCounts())
        return groupKeys.append(key)
    }
}
