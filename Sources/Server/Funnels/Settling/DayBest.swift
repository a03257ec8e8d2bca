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
    /// Calls `body` with the summary's record of each day of one owner. The days must be in order.
    static func forEachRecord(
        of days: ArraySlice<DayBest>,
        _ body: (_ day: Day, _ record: SummaryRecord) -> Void
    ) {
        guard let last = days.last else { return }
        // Most actors are active on one day only.
        if days.count == 1 {
            return body(last.day, SummaryRecord(of: last, previousGap: 0, nextGap: 0))
        }
        // lastDay[k] is the day visited last with an attempt of depth k + 1.
        var lastDay = [Day?](repeating: nil, count: Funnel.maximumStepCount)
        var nextDeeper = [Day?](repeating: nil, count: days.count)
        for (index, best) in zip(nextDeeper.indices, days).reversed() {
            nextDeeper[index] = lastDay[best.depth...].compactMap(\.self).min()
            lastDay[best.depth - 1] = best.day
        }
        lastDay = Array(repeating: nil, count: Funnel.maximumStepCount)
        for (index, best) in zip(nextDeeper.indices, days) {
            let previous = lastDay[(best.depth - 1)...].compactMap(\.self).max()
            lastDay[best.depth - 1] = best.day
            body(
                best.day,
                SummaryRecord(
                    of: best,
                    previousGap: previous.map { UInt32(best.day.number - $0.number) } ?? 0,
                    nextGap: nextDeeper[index].map { UInt32($0.number - best.day.number) } ?? 0
                )
            )
        }
    }
}

extension SummaryRecord {
    fileprivate init(of best: DayBest, previousGap: UInt32, nextGap: UInt32) {
        self.init(previousGap: previousGap, nextGap: nextGap, depth: best.depth, times: best.times, count: 1)
    }
}
