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
    private struct Key: HashTableEntry {
        /// The funnel and the value; it has no actor.
        let owner: DayBest.Owner
        let day: Int32

        var hash: Int {
            var hash = Fingerprint()
            hash.combine(UInt64(UInt32(bitPattern: day)) << 32 | UInt64(owner.funnel))
            hash.combine(UInt64(owner.$value.code))
            return Int(hash.value)
        }
    }

    /// Records with neither times nor amounts. Most attempts end at their first step and are equal: they are counted, not
    /// collected.
    private struct Plain: HashTableEntry {
        let key: Int32
        let gaps: DayGaps
        let depth: UInt8
        let ending: UInt8
        var count: Int64

        var hash: Int {
            var hash = Fingerprint()
            hash.combine(UInt64(gaps.previous) << 32 | UInt64(gaps.next))
            hash.combine(UInt64(key) << 16 | UInt64(depth) << 8 | UInt64(ending))
            return Int(hash.value)
        }

        func isSame(as other: Plain) -> Bool {
            key == other.key && gaps == other.gaps && depth == other.depth && ending == other.ending
        }
    }

    private var values = StringTable()
    private var keys = HashTable<Key>()
    // By key, the records with times or amounts.
    private var records: [[SummaryRecord]] = []
    private var plain = HashTable<Plain>()
    // Consecutive records often have the same key.
    private var last: (key: Key, index: HashTable<Key>.Index)?
    // Kept between calls to reuse their memory.
    private var oldGaps = DayGapsSearch()
    private var newGaps = DayGapsSearch()

    /// Removes the records of the `old` results and adds those of the `new` results. Both must be in order.
    ///
    /// - Parameter state: the install's state, to which the results refer.
    mutating func replace(_ old: ArraySlice<DayBest>, by new: ArraySlice<DayBest>, of state: InstallState) {
        replace(old, by: new, state.details, state.strings)
    }

    /// - Parameters:
    ///   - details: the details of the install's results.
    ///   - strings: the strings that the results refer to.
    mutating func replace(
        _ old: ArraySlice<DayBest>,
        by new: ArraySlice<DayBest>,
        _ details: ResultDetails,
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
            replace(before, by: after, DayBest.Owner(funnel: owner.funnel, actor: nil, value: value), details, strings)
        }
    }

    /// Replaces the days of one owner, whose gaps are found. Most days keep their records.
    ///
    /// - Parameter owner: the owner without the actor, with the value in ``values``.
    private mutating func replace(
        _ old: ArraySlice<DayBest>,
        by new: ArraySlice<DayBest>,
        _ owner: DayBest.Owner,
        _ details: ResultDetails,
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

    /// Adds the records of other changes.
    mutating func add(_ other: SummaryChanges) {
        if keys.entries.isEmpty {
            self = other
            return
        }
        var own: [HashTable<Key>.Index] = []
        for key in other.keys.entries {
            let value = key.owner.value.map { values.intern($0, of: other.values) }
            let index = index(DayBest.Owner(funnel: key.owner.funnel, actor: nil, value: value), key.day)
            records[index.offset] += other.records[own.count]
            own.append(index)
        }
        for record in other.plain.entries {
            count(
                Plain(
                    key: Int32(own[Int(record.key)].offset),
                    gaps: record.gaps,
                    depth: record.depth,
                    ending: record.ending,
                    count: record.count
                )
            )
        }
    }

    /// The sums by key. Keys whose records cancel out are left out.
    ///
    /// It consumes the changes, because a copy of the records takes longer than their encoding.
    consuming func deltas() -> [SummaryDelta] {
        for record in plain.entries where record.count != 0 {
            records[Int(record.key)].append(
                SummaryRecord(
                    previousGap: record.gaps.previous,
                    nextGap: record.gaps.next,
                    depth: Int(record.depth),
                    times: [],
                    count: record.count,
                    ending: record.ending
                )
            )
        }
        var deltas: [SummaryDelta] = []
        for (index, key) in keys.entries.enumerated() {
            // Taken out of the array: records that two arrays share would be copied to be sorted.
            var own: [SummaryRecord] = []
            swap(&own, &records[index])
            let segment = SummarySegment.encoded(own)
            if segment.isEmpty { continue }
            let value = key.owner.value.map { Array(values[$0]) }
            let summaryKey = SummaryKey(funnel: key.owner.funnel, value: value, day: Day(number: key.day))
            deltas.append(SummaryDelta(key: summaryKey, segment: segment))
        }
        return deltas
    }

    private mutating func add(
        _ best: DayBest,
        _ gaps: DayGaps,
        count: Int64,
        _ owner: DayBest.Owner,
        _ details: ResultDetails,
        _ strings: StringTable
    ) {
        let index = index(owner, best.day.number)
        guard best.timeCount == 0, best.amountCount == 0 else {
            return records[index.offset].append(SummaryRecord(of: best, gaps, count: count, details, strings))
        }
        self.count(
            Plain(
                key: Int32(index.offset),
                gaps: gaps,
                depth: UInt8(best.depth),
                ending: best.ending,
                count: count
            )
        )
    }

    private mutating func count(_ record: Plain) {
        if let index = plain.index(hash: record.hash, where: { $0.isSame(as: record) }) {
            plain[index].count += record.count
        } else {
            plain.append(record)
        }
    }

    private mutating func index(_ owner: DayBest.Owner, _ day: Int32) -> HashTable<Key>.Index {
        if let last, last.key.day == day, last.key.owner == owner { return last.index }
        let key = Key(owner: owner, day: day)
        let index = keys.index(hash: key.hash) { $0.day == day && $0.owner == owner } ?? keys.append(key)
        if index.offset == records.count { records.append([]) }
        last = (key, index)
        return index
    }
}
