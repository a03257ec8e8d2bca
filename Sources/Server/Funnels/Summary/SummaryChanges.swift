/// Collects the attempts that changed results add to the summary and remove from it.
struct SummaryChanges {
    /// The key of attempts that have one ``SummaryKey`` and count between the same days.
    private struct Key: Hashable, Comparable {
        /// The funnel, and the breakdown value as an index in ``values``; it has no actor.
        let owner: DayOutcome.Owner
        let day: Day
        let gaps: DayGaps

        static func < (lhs: Key, rhs: Key) -> Bool {
            if lhs.owner != rhs.owner { return lhs.owner < rhs.owner }
            return lhs.day != rhs.day ? lhs.day < rhs.day : lhs.gaps < rhs.gaps
        }
    }

    private struct Group {
        var counts = OutcomeCounts()
        var rest = SummaryGroup()

        mutating func add(_ best: DayOutcome, of state: InstallState, _ rules: FunnelRules, count: Int64) {
            counts.add(best.outcome, count)
            rest.add(best, of: state, rules, count: count)
        }

        mutating func add(_ other: Group) {
            counts.add(other.counts)
            rest.add(other.rest)
        }
    }

    private let rules: [FunnelRules]
    private var values = StringTable()
    // Attempts are added up as they come, because most end at their first step and are equal.
    private var groups: [Key: Group] = [:]
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
        var (old, new) = (old, new)
        while let owner = ArraySlice.firstOwner(old, new) {
            let before = old.prefix { $0.owner == owner }
            let after = new.prefix { $0.owner == owner }
            old = old[before.endIndex...]
            new = new[after.endIndex...]
            guard !state.details.areEqual(before, after) else { continue }
            let value = owner.value.map { values.intern($0, of: state.strings) }
            oldGaps.find(before)
            newGaps.find(after)
            replace(before, by: after, of: state, DayOutcome.Owner(funnel: owner.funnel, actor: nil, value: value))
        }
    }

    /// Replaces the days of one owner, whose gaps are found. Most days stay as they are.
    ///
    /// - Parameter owner: the owner without the actor, with the value in ``values``.
    private mutating func replace(
        _ old: ArraySlice<DayOutcome>,
        by new: ArraySlice<DayOutcome>,
        of state: InstallState,
        _ owner: DayOutcome.Owner
    ) {
        var next = new.startIndex
        for (offset, best) in old.enumerated() {
            while next < new.endIndex, new[next].day < best.day {
                add(new[next], newGaps.gaps[next - new.startIndex], count: 1, owner, state)
                next += 1
            }
            let gaps = oldGaps.gaps[offset]
            if next < new.endIndex, gaps == newGaps.gaps[next - new.startIndex], state.details.areEqual(best, new[next])
            {
                next += 1
            } else {
                add(best, gaps, count: -1, owner, state)
            }
        }
        while next < new.endIndex {
            add(new[next], newGaps.gaps[next - new.startIndex], count: 1, owner, state)
            next += 1
        }
    }

    /// Adds other changes.
    mutating func add(_ other: SummaryChanges) {
        if groups.isEmpty {
            self = other
            return
        }
        for (key, group) in other.groups {
            let value = key.owner.value.map { values.intern($0, of: other.values) }
            let owner = DayOutcome.Owner(funnel: key.owner.funnel, actor: nil, value: value)
            let own = Key(owner: owner, day: key.day, gaps: key.gaps)
            groups[own, default: Group()].add(group)
        }
    }

    /// The sums by key, in order. Keys whose attempts cancel out are left out.
    func deltas() -> [SummaryDelta] {
        var segment = SummarySegmentEncoder()
        var deltas: [SummaryDelta] = []
        var rest = groups.sorted { $0.key < $1.key }[...]
        while let first = rest.first?.key {
            let ofKey = rest.prefix { $0.key.owner == first.owner && $0.key.day == first.day }
            rest = rest[ofKey.endIndex...]
            let value = first.owner.value.map { Array(values[$0]) }
            var delta = SummaryDelta(key: SummaryKey(funnel: first.owner.funnel, value: value, day: first.day))
            for (key, group) in ofKey {
                for entry in group.counts.entries where entry.count != 0 {
                    delta.counts.append(OutcomeCount(gaps: key.gaps, outcome: entry.outcome, actors: entry.count))
                }
                segment.append(group.rest, key.gaps)
            }
            delta.segment = segment.take()
            if !delta.counts.isEmpty || !delta.segment.isEmpty { deltas.append(delta) }
        }
        return deltas.sorted { $0.key.precedes($1.key) }
    }

    private mutating func add(
        _ best: DayOutcome,
        _ gaps: DayGaps,
        count: Int64,
        _ owner: DayOutcome.Owner,
        _ state: InstallState
    ) {
        let key = Key(owner: owner, day: best.day, gaps: gaps)
        groups[key, default: Group()].add(best, of: state, rules[owner.funnel], count: count)
    }
}
