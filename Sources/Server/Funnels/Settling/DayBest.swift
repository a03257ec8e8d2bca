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

    /// The summary's record of each day of one owner. The days must be in order.
    ///
    /// Of attempts of the same depth, the one that begins first counts. It is that of the earlier day, but where a date
    /// came again.
    static func records(of days: ArraySlice<DayBest>, _ strings: StringTable) -> [(day: Day, record: SummaryRecord)] {
        var records = days.map { (day: $0.day, record: SummaryRecord(of: $0, strings)) }
        // Most actors are active on one day only.
        guard days.count > 1 else { return records }
        // By index in what follows, because copying a result counts references.
        let first = days.startIndex
        let depths = days.indices.reduce(0) { max($0, days[$1].depth) }
        // The days visited last with an attempt of each depth, by the depth minus 1.
        var visited = [Int32?](repeating: nil, count: depths)
        for index in records.indices.reversed() {
            let (day, depth) = (days[first + index].day.number, days[first + index].depth)
            // The nearest later day with an attempt that counts before this one.
            var next: Int32?
            for deeper in depth..<depths { if let day = visited[deeper] { next = min(next ?? day, day) } }
            if index + 1 < records.count, days[first + index].begins(afterNext: days[first + index + 1]),
                days[first + index + 1].depth == depth
            {
                next = days[first + index + 1].day.number
            }
            if let next { records[index].record.nextGap = UInt32(next - day) }
            visited[depth - 1] = day
        }
        for index in visited.indices { visited[index] = nil }
        var last: (index: Int, visited: Int32?)?
        for index in records.indices {
            let (day, depth) = (days[first + index].day.number, days[first + index].depth)
            // The nearest earlier day with an attempt that counts before this one.
            if let last, days[last.index].depth == depth, days[last.index].begins(afterNext: days[first + index]) {
                visited[depth - 1] = last.visited
            }
            if days[first + index].isOutOfOrder { last = (first + index, visited[depth - 1]) }
            var previous: Int32?
            for deeper in (depth - 1)..<depths { if let day = visited[deeper] { previous = max(previous ?? day, day) } }
            if let previous { records[index].record.previousGap = UInt32(day - previous) }
            visited[depth - 1] = day
        }
        return records
    }
}

extension SummaryRecord {
    init(of best: DayBest, _ strings: StringTable) {
        self.init(previousGap: 0, nextGap: 0, depth: best.depth, times: best.times, count: 1, ending: best.ending)
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
