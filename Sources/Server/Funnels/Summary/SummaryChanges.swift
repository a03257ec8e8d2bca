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

    /// Whether the attempt has neither times nor amounts, as most have.
    var isPlain: Bool { times.isEmpty && amounts.isEmpty }
}

/// Collects the records that changed results add to the summary and remove from it.
struct SummaryChanges {
    /// A ``SummaryKey`` whose breakdown value is an index in ``values``.
    private struct Key: Hashable {
        var funnel: Int
        @CompactIndex var value: StringTable.Index?
        var day: Int32
    }

    /// A record that ``SummaryRecord/isPlain``, without its count: fast to hash and to copy.
    private struct PlainRecord: Hashable {
        var previousGap: UInt32
        var nextGap: UInt32
        var depth: Int
        var ending: UInt8
    }

    private var values = StringTable()
    private var records: [[SummaryRecord]] = []
    // Most attempts end at their first step, are plain and equal: they are counted, not collected.
    private var plain: [[PlainRecord: Int64]] = []
    // By key, the index in both arrays.
    private var indices: [Key: Int] = [:]
    // Consecutive records often have the same key.
    private var last: (key: Key, index: Int)?

    /// Removes the records of the `old` results and adds those of the `new` results. Both must be in order.
    ///
    /// - Parameter strings: the install's strings, which the results refer to.
    mutating func replace(_ old: [DayBest], by new: [DayBest], strings: StringTable) {
        var (old, new) = (old[...], new[...])
        while let owner = [DayBest].firstOwner(old, new) {
            let before = old.prefix { $0.owner == owner }
            let after = new.prefix { $0.owner == owner }
            old = old.dropFirst(before.count)
            new = new.dropFirst(after.count)
            guard !before.isEqual(to: after) else { continue }
            let value = owner.value.map { values.intern(strings[$0]) }
            if before.count <= 1, after.count <= 1 {
                // Most actors are active on one day only, and their records have no gaps.
                for (best, count) in [(before.first, -1), (after.first, 1)] {
                    guard let best else { continue }
                    var record = SummaryRecord(of: best, strings)
                    record.count = Int64(count)
                    add(record, to: Key(funnel: owner.funnel, value: value, day: best.day.number))
                }
                continue
            }
            replace(DayBest.records(of: before, strings), by: DayBest.records(of: after, strings)) { day in
                Key(funnel: owner.funnel, value: value, day: day.number)
            }
        }
    }

    // Most days keep their records.
    private mutating func replace(
        _ old: [(day: Day, record: SummaryRecord)],
        by new: [(day: Day, record: SummaryRecord)],
        key: (Day) -> Key
    ) {
        var next = 0
        for (day, record) in old {
            while next < new.count, new[next].day < day {
                add(new[next].record, to: key(new[next].day))
                next += 1
            }
            if next < new.count, new[next].day == day, new[next].record == record {
                next += 1
                continue
            }
            var removed = record
            removed.count = -1
            add(removed, to: key(day))
        }
        for (day, record) in new[next...] { add(record, to: key(day)) }
    }

    /// Adds the records of other changes.
    mutating func add(_ other: SummaryChanges) {
        for (key, index) in other.indices {
            var own = key
            own.value = key.value.map { values.intern(other.values[$0]) }
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
                    previousGap: record.previousGap,
                    nextGap: record.nextGap,
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

    private mutating func add(_ record: SummaryRecord, to key: Key) {
        let index = self.index(of: key)
        guard record.isPlain else { return records[index].append(record) }
        let plainRecord = PlainRecord(
            previousGap: record.previousGap,
            nextGap: record.nextGap,
            depth: record.depth,
            ending: record.ending
        )
        plain[index][plainRecord, default: 0] += record.count
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
