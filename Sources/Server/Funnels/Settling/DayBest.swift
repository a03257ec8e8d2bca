/// The best attempt of one actor on one day: the earliest attempt of the greatest depth.
struct DayBest: Sendable, Hashable {
    /// The actor, the funnel and the breakdown value.
    var owner: Owner
    /// The day of the attempt's first event.
    var day: Day
    /// The number of steps met; 1 or more.
    var depth: Int
    /// The milliseconds from each step met to the next.
    var times: [Int64]
    /// Of an attempt that met all steps, how many events matched step 1 from its first event to its last: 1 to 4, or 5
    /// for more; 0 for a funnel of one step, and for results of older versions, which did not count them. Of any other
    /// attempt, 1 where an exclusion ended it, else 0.
    var ending: UInt8 = 0
    /// What the attempt adds to the sums of the steps that it met, in the order of the funnel's sums.
    var amounts: [StepAmount] = []
    /// Whether the attempt begins near a change of clocks over midnight, where a date comes twice: see
    /// ``FunnelDays/isOutOfOrder(_:)``.
    var isOutOfOrder = false

    static let greatestEnding: UInt8 = 5

    /// An actor of one install in one funnel: all its attempts, or those of one breakdown value.
    struct Owner: Sendable, Hashable, Comparable {
        /// The index of the funnel in the definitions.
        var funnel: Int
        /// The session, or the value of the field to count by, in the install's strings; `nil` where installs are
        /// counted.
        @CompactIndex var actor: StringTable.Index?
        /// The breakdown value, in the install's strings; `nil` for all attempts.
        @CompactIndex var value: StringTable.Index?

        static func < (lhs: Owner, rhs: Owner) -> Bool {
            (lhs.funnel, lhs._actor, lhs._value) < (rhs.funnel, rhs._actor, rhs._value)
        }
    }
}

extension DayBest {
    /// Whether this attempt begins after that of the next day of the same owner: its date came again.
    func begins(afterNext next: DayBest) -> Bool {
        isOutOfOrder && next.isOutOfOrder && next.day.number == day.number + 1
    }
}

/// The days between which the attempt of a day counts, as distances from that day: see ``SummaryRecord``.
struct DayGaps: Hashable {
    /// The days back to the last earlier day with an attempt at least as deep; 0 where there is none.
    var previous: UInt32 = 0
    /// The days on to the first later day with a deeper attempt; 0 where there is none.
    var next: UInt32 = 0
}

/// Finds the gaps of the days of one owner after another, and reuses its memory for each.
struct DayGapsSearch {
    /// The gaps, in order of the days.
    private(set) var gaps: [DayGaps] = []
    // The days visited last with an attempt of each depth, by the depth minus 1.
    private var visited: [Int32?] = []

    /// Finds the gaps of days, which must be in order.
    ///
    /// Of attempts of the same depth, the one that begins first counts. It is that of the earlier day, but where a date
    /// came again.
    mutating func find(_ days: ArraySlice<DayBest>) {
        gaps.removeAll(keepingCapacity: true)
        gaps.append(contentsOf: repeatElement(DayGaps(), count: days.count))
        // Most actors are active on one day only.
        guard days.count > 1 else { return }
        // By index in what follows, because copying a result counts references.
        let depths = days.indices.reduce(0) { max($0, days[$1].depth) }
        forgetDays(depths)
        for index in days.indices.reversed() {
            gaps[index - days.startIndex].next = distance(fromNextOf: index, in: days, depths)
            visited[days[index].depth - 1] = days[index].day.number
        }
        forgetDays(depths)
        var last: (index: Int, visited: Int32?)?
        for index in days.indices {
            let (day, depth) = (days[index].day.number, days[index].depth)
            // The nearest earlier day with an attempt that counts before this one.
            if let last, days[last.index].depth == depth, days[last.index].begins(afterNext: days[index]) {
                visited[depth - 1] = last.visited
            }
            if days[index].isOutOfOrder { last = (index, visited[depth - 1]) }
            var previous: Int32?
            for deeper in (depth - 1)..<depths { if let day = visited[deeper] { previous = max(previous ?? day, day) } }
            if let previous { gaps[index - days.startIndex].previous = UInt32(day - previous) }
            visited[depth - 1] = day
        }
    }

    private mutating func forgetDays(_ depths: Int) {
        visited.removeAll(keepingCapacity: true)
        visited.append(contentsOf: repeatElement(nil, count: depths))
    }

    /// The distance to the nearest later day with an attempt that counts before that of a day; 0 where there is none.
    private func distance(fromNextOf index: Int, in days: ArraySlice<DayBest>, _ depths: Int) -> UInt32 {
        let (day, depth) = (days[index].day.number, days[index].depth)
        if index + 1 < days.endIndex, days[index + 1].depth == depth, days[index].begins(afterNext: days[index + 1]) {
            return UInt32(days[index + 1].day.number - day)
        }
        var next: Int32?
        for deeper in depth..<depths { if let day = visited[deeper] { next = min(next ?? day, day) } }
        return next.map { UInt32($0 - day) } ?? 0
    }
}

extension SummaryRecord {
    init(of best: DayBest, _ gaps: DayGaps, count: Int64, _ strings: StringTable) {
        self.init(
            previousGap: gaps.previous,
            nextGap: gaps.next,
            depth: best.depth,
            times: best.times,
            count: count,
            ending: best.ending
        )
        guard !best.amounts.isEmpty else { return }
        amounts = best.amounts.map { amount in
            if case .amount(let amount, let unit) = amount {
                SummaryAmount(amount: amount, unit: Array(strings[unit]))
            } else {
                SummaryAmount(amount: 0, unit: nil)
            }
        }
    }
}
