/// Gathers what changed results add to the summary and take away from it.
struct SummaryChanges {
    private struct Place: Hashable {
        var funnel: Int
        /// The place of the breakdown value among `values` plus 1; 0 for all attempts together.
        var value: Int
        var day: Int32
    }

    private var values = StringTable()
    private var records: [[SummaryRecord]] = []
    // Most attempts end at their first step, have no times, and are the same: they are counted, not gathered.
    private var withoutTimes: [[SummaryRecord: Int64]] = []
    private var places: [Place: Int] = [:]
    // Neighbors mostly go to the same place.
    private var last: (place: Place, index: Int)?

    /// Replaces the records that `old` results gave by those that `new` ones give, both in their order.
    ///
    /// - Parameter strings: the install's strings, which both number their values by.
    mutating func replace(_ old: [DayBest], by new: [DayBest], strings: [[UInt8]]) {
        var (old, new) = (old[...], new[...])
        while let owner = [old.first?.owner, new.first?.owner].compactMap(\.self).min() {
            let before = old.prefix { $0.owner == owner }
            let after = new.prefix { $0.owner == owner }
            old = old.dropFirst(before.count)
            new = new.dropFirst(after.count)
            guard before != after else { continue }
            let value = owner.value == 0 ? 0 : 1 + strings[owner.value - 1].withUnsafeBytes { values.intern($0) }
            DayBest.forEachRecord(of: before) { day, record in
                var record = record
                record.count = -1
                add(record, at: Place(funnel: owner.funnel, value: value, day: day.number))
            }
            DayBest.forEachRecord(of: after) { day, record in
                add(record, at: Place(funnel: owner.funnel, value: value, day: day.number))
            }
        }
    }

    /// Takes in what others have gathered.
    mutating func add(_ other: SummaryChanges) {
        for (place, index) in other.places {
            var own = place
            if place.value > 0 {
                own.value = 1 + other.values.strings[place.value - 1].withUnsafeBytes { values.intern($0) }
            }
            let target = self.index(of: own)
            records[target] += other.records[index]
            withoutTimes[target].merge(other.withoutTimes[index], uniquingKeysWith: +)
        }
    }

    /// The sums, one for each place where something is left.
    func deltas() -> [SummaryDelta] {
        places.compactMap { place, index in
            let counted = withoutTimes[index].map { record, count in
                var record = record
                record.count = count
                return record
            }
            let segment = SummarySegment.encoded(records[index] + counted)
            guard !segment.isEmpty else { return nil }
            let value = place.value == 0 ? nil : values.strings[place.value - 1]
            let key = SummaryKey(funnel: place.funnel, value: value, day: Day(number: place.day))
            return SummaryDelta(key: key, segment: segment)
        }
    }

    private mutating func add(_ record: SummaryRecord, at place: Place) {
        let index = self.index(of: place)
        guard record.times.isEmpty else { return records[index].append(record) }
        var key = record
        key.count = 0
        withoutTimes[index][key, default: 0] += record.count
    }

    private mutating func index(of place: Place) -> Int {
        if let last, last.place == place { return last.index }
        let index = places[place] ?? records.count
        if index == records.count {
            records.append([])
            withoutTimes.append([:])
            places[place] = index
        }
        last = (place, index)
        return index
    }
}
