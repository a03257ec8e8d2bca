/// One actor's best attempt of one day, as the summary counts it.
///
/// Over a range of days an actor counts by its earliest attempt of the greatest depth. Each day's best attempt stores
/// the days between which it is that attempt, so that the counts of any range are sums over records: it counts for the
/// days `a...b` exactly when `previous < a`, `a <= day`, `day <= b` and `b < next`.
struct SummaryRecord: Sendable, Equatable {
    /// The days back to the actor's last earlier day with an attempt at least as deep; 0 where there is none.
    var previousGap: UInt32
    /// The days on to the actor's first later day with a deeper attempt; 0 where there is none.
    var nextGap: UInt32
    /// The number of steps met; 1 or more.
    var depth: Int
    /// The milliseconds from each step met to the next: `depth - 1` numbers.
    var times: [Int64]
    /// How many such attempts are added; negative where they are removed.
    var count: Int64
    /// As ``DayBest/ending``.
    var ending: UInt8 = 0
    /// What the attempt adds to the sums of the steps that it met, in the order of the funnel's sums.
    var amounts: [SummaryAmount] = []
}

/// Collects the records that changed results add to the summary and remove from it.
struct SummaryChanges {
    /// A ``SummaryKey`` whose breakdown value is an index in ``values``.
    private struct Key: Hashable {
        var funnel: Int
        @CompactIndex var value: StringTable.Index?
        var day: Int32
    }

    /// A record with neither times nor amounts, as most are, and without its count: fast to hash and to copy.
    private struct PlainRecord: Hashable {
        var gaps: DayGaps
        var depth: Int
        var ending: UInt8
    }

    private var values = StringTable()
    private var records: [[SummaryRecord]] = []
    // Most attempts end at their first step and are equal: they are counted, not collected.
    private var plain: [[PlainRecord: Int64]] = []
    // By key, the index in both arrays.
    private var indices: [Key: Int] = [:]
    // Consecutive records often have the same key.
    private var last: (key: Key, index: Int)?
    // Kept between calls to reuse their memory.
    private var oldGaps = DayGapsSearch()
    private var newGaps = DayGapsSearch()

    /// Removes the records of the `old` results and adds those of the `new` results. Both must be in order.
    ///
    /// - Parameter strings: the install's strings, which the results refer to.
    mutating func replace(_ old: ArraySlice<DayBest>, by new: ArraySlice<DayBest>, strings: StringTable) {
        var (old, new) = (old, new)
        while let owner = ArraySlice.firstOwner(old, new) {
            let before = old.prefix { $0.owner == owner }
            let after = new.prefix { $0.owner == owner }
            old = old.dropFirst(before.count)
            new = new.dropFirst(after.count)
            guard !before.isEqual(to: after) else { continue }
            let value = owner.value.map { values.intern($0, of: strings) }
            oldGaps.find(before)
            newGaps.find(after)
            replace(before, by: after, Key(funnel: owner.funnel, value: value, day: 0), strings)
        }
    }

    /// Replaces the days of one owner, whose gaps are found. Most days keep their records.
    ///
    /// - Parameter key: the key of the records, with any day.
    private mutating func replace(
        _ old: ArraySlice<DayBest>,
        by new: ArraySlice<DayBest>,
        _ key: Key,
        _ strings: StringTable
    ) {
        // By index, because copying a result counts references.
        var next = new.startIndex
        func addNew() {
            add(new[next], newGaps.gaps[next - new.startIndex], count: 1, key, strings)
            next += 1
        }
        for index in old.indices {
            while next < new.endIndex, new[next].day < old[index].day { addNew() }
            let gaps = oldGaps.gaps[index - old.startIndex]
            if next < new.endIndex, gaps == newGaps.gaps[next - new.startIndex],
                old[index].hasSameContents(as: new[next])
            {
                next += 1
            } else {
                add(old[index], gaps, count: -1, key, strings)
            }
        }
        while next < new.endIndex { addNew() }
    }

    /// Adds the records of other changes.
    mutating func add(_ other: SummaryChanges) {
        for (key, index) in other.indices {
            var own = key
            own.value = key.value.map { values.intern($0, of: other.values) }
            let target = self.index(of: own)
            records[target] += other.records[index]
            plain[target].merge(other.plain[index], uniquingKeysWith: +)
        }
    }

    /// The sums by key. Keys whose records cancel out are left out.
    func deltas() -> [SummaryDelta] {
        indices.compactMap { key, index in
            let counted = plain[index].map { record, count in
                SummaryRecord(
                    previousGap: record.gaps.previous,
                    nextGap: record.gaps.next,
                    depth: record.depth,
                    times: [],
                    count: count,
                    ending: record.ending
                )
            }
            let segment = SummarySegment.encoded(records[index] + counted)
            guard !segment.isEmpty else { return nil }
            let value = key.value.map { Array(values[$0]) }
            let summaryKey = SummaryKey(funnel: key.funnel, value: value, day: Day(number: key.day))
            return SummaryDelta(key: summaryKey, segment: segment)
        }
    }

    private mutating func add(_ best: DayBest, _ gaps: DayGaps, count: Int64, _ key: Key, _ strings: StringTable) {
        var key = key
        key.day = best.day.number
        let index = self.index(of: key)
        guard best.times.isEmpty, best.amounts.isEmpty else {
            return records[index].append(SummaryRecord(of: best, gaps, count: count, strings))
        }
        plain[index][PlainRecord(gaps: gaps, depth: best.depth, ending: best.ending), default: 0] += count
    }

    private mutating func index(of key: Key) -> Int {
        if let last, last.key == key { return last.index }
        let index = indices[key] ?? records.count
        if index == records.count {
            records.append([])
            plain.append([:])
            indices[key] = index
        }
        last = (key, index)
        return index
    }
}
