/// The best attempt of one actor on one UTC day: the earliest attempt of the greatest depth.
struct DayBest: Sendable, Hashable {
    /// The actor, the funnel and the breakdown value.
    var owner: Owner
    /// The day of the attempt's first event.
    var day: Day
    /// The number of steps met; 1 or more.
    var depth: Int
    /// The milliseconds from each step met to the next.
    var times: [Int64]

    /// An actor of one install in one funnel: all its attempts, or those of one breakdown value.
    struct Owner: Sendable, Hashable, Comparable {
        /// The index of the funnel in the definitions.
        var funnel: Int
        /// The session, in the install's strings; `nil` where installs are counted.
        @CompactIndex var session: StringTable.Index?
        /// The breakdown value, in the install's strings; `nil` for all attempts.
        @CompactIndex var value: StringTable.Index?

        static func < (lhs: Owner, rhs: Owner) -> Bool {
            (lhs.funnel, lhs._session, lhs._value) < (rhs.funnel, rhs._session, rhs._value)
        }
    }
}

extension DayBest {
    /// The summary's record of each day of one owner. The days must be in order.
    static func records(of days: ArraySlice<DayBest>) -> [(day: Day, record: SummaryRecord)] {
        var records = days.map { (day: $0.day, record: SummaryRecord(of: $0)) }
        // Most actors are active on one day only.
        guard days.count > 1 else { return records }
        // The days visited last with an attempt of each depth, by the depth minus 1.
        var visited = [Day?](repeating: nil, count: Funnel.maximumStepCount)
        for (index, best) in zip(records.indices, days).reversed() {
            // The nearest later day with a deeper attempt.
            let next = visited[best.depth...].lazy.compactMap(\.self).min()
            if let next { records[index].record.nextGap = UInt32(next.number - best.day.number) }
            visited[best.depth - 1] = best.day
        }
        visited = Array(repeating: nil, count: Funnel.maximumStepCount)
        for (index, best) in zip(records.indices, days) {
            // The nearest earlier day with an attempt at least as deep.
            let previous = visited[(best.depth - 1)...].lazy.compactMap(\.self).max()
            if let previous { records[index].record.previousGap = UInt32(best.day.number - previous.number) }
            visited[best.depth - 1] = best.day
        }
        return records
    }
}

extension SummaryRecord {
    fileprivate init(of best: DayBest) {
        self.init(previousGap: 0, nextGap: 0, depth: best.depth, times: best.times, count: 1)
    }
}
