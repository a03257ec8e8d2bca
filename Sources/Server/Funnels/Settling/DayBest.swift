/// The best attempt of one actor on one UTC day: the earliest of the greatest depth.
struct DayBest: Sendable, Hashable {
    /// Whose it is.
    var owner: Owner
    /// The day that the attempt's first event belongs to.
    var day: Day
    /// The steps met; 1 or more.
    var depth: Int
    /// The milliseconds from each step to the next that was met.
    var times: [Int64]

    /// An actor of one install, seen by one funnel, all attempts together or those of one breakdown value.
    struct Owner: Sendable, Hashable, Comparable {
        /// The funnel's place in the set of definitions.
        var funnel: Int
        /// The session's place in the install's strings plus 1; 0 where installs are counted.
        var session: Int
        /// The breakdown value's place in the install's strings plus 1; 0 for all attempts together.
        var value: Int

        static func < (lhs: Owner, rhs: Owner) -> Bool {
            (lhs.funnel, lhs.session, lhs.value) < (rhs.funnel, rhs.session, rhs.value)
        }
    }
}

extension DayBest {
    /// The summary's records of one owner's days, which must be ascending.
    static func forEachRecord(
        of days: ArraySlice<DayBest>,
        _ body: (_ day: Day, _ record: SummaryRecord) -> Void
    ) {
        guard let last = days.last else { return }
        // Most actors are active on one day.
        if days.count == 1 {
            return body(last.day, SummaryRecord(of: last, previousGap: 0, nextGap: 0))
        }
        // lastDay[k]: the last day seen with an attempt of depth k + 1.
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
