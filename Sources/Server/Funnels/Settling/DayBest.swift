/// The best attempt of one actor on one day: the earliest attempt of the greatest depth.
struct DayBest: Sendable {
    /// The actor, the funnel and the breakdown value.
    var owner: Owner
    /// The day of the attempt's first event.
    var day: Day
    /// Where its times and amounts are in the ``ResultDetails`` of its install.
    let details: ResultDetails.Offset
    private let depthByte: UInt8
    private var amountByte: UInt8 = 0
    /// Of an attempt that met all steps, how many events matched step 1 from its first event to its last: 1 to 4, or 5
    /// for more; 0 for a funnel of one step, and for results of older versions, which did not count them. Of any other
    /// attempt, 1 where an exclusion ended it, else 0.
    var ending: UInt8 = 0
    /// Whether the attempt begins near a change of clocks over midnight, where a date comes twice: see
    /// ``FunnelDays/isOutOfOrder(_:)``.
    var isOutOfOrder = false

    static let greatestEnding: UInt8 = 5

    init(owner: Owner, day: Day, depth: Int, details: ResultDetails.Offset) {
        self.owner = owner
        self.day = day
        self.details = details
        depthByte = UInt8(depth)
    }

    /// The number of steps met; 1 or more.
    @inline(__always)
    var depth: Int { Int(depthByte) }

    /// The number of its times: one from each step met to the next.
    @inline(__always)
    var timeCount: Int { Int(depthByte) - 1 }

    /// The number of sums that the attempt adds to: those of the steps that it met.
    @inline(__always)
    var amountCount: Int {
        get { Int(amountByte) }
        set { amountByte = UInt8(newValue) }
    }

    /// An actor of one install in one funnel: all its attempts, or those of one breakdown value.
    struct Owner: Sendable, Hashable, Comparable {
        private var funnelNumber: Int32
        /// The session, or the value of the field to count by, in the install's strings; `nil` where installs are
        /// counted.
        @CompactIndex var actor: StringTable.Index?
        /// The breakdown value, in the install's strings; `nil` for all attempts.
        @CompactIndex var value: StringTable.Index?

        init(funnel: Int, actor: StringTable.Index?, value: StringTable.Index?) {
            self.init(funnel: funnel, CompactIndex(wrappedValue: actor), CompactIndex(wrappedValue: value))
        }

        init(funnel: Int, _ actor: CompactIndex<StringTable>, _ value: CompactIndex<StringTable>) {
            funnelNumber = Int32(funnel)
            _actor = actor
            _value = value
        }

        /// The index of the funnel in the definitions.
        @inline(__always)
        var funnel: Int {
            get { Int(funnelNumber) }
            set { funnelNumber = Int32(newValue) }
        }

        // No index is negative.
        fileprivate var actorOrder: UInt64 { UInt64(funnelNumber) << 32 | UInt64(_actor.code) }

        static func == (lhs: Owner, rhs: Owner) -> Bool {
            lhs._actor == rhs._actor && lhs._value == rhs._value && lhs.funnelNumber == rhs.funnelNumber
        }

        static func < (lhs: Owner, rhs: Owner) -> Bool {
            lhs.actorOrder != rhs.actorOrder ? lhs.actorOrder < rhs.actorOrder : lhs._value < rhs._value
        }
    }
}

extension DayBest {
    /// Whether it comes before another result in the order of owner, then day.
    func precedes(_ other: DayBest) -> Bool {
        if owner.actorOrder != other.owner.actorOrder { return owner.actorOrder < other.owner.actorOrder }
        if owner.$value != other.owner.$value { return owner.$value < other.owner.$value }
        return day < other.day
    }

    /// Whether both are of one owner and day.
    func isOfSameDay(as other: DayBest) -> Bool { day == other.day && owner == other.owner }

    /// Whether both are equal but for their times and amounts.
    func hasSameNumbers(as other: DayBest) -> Bool {
        depthByte == other.depthByte && day == other.day && ending == other.ending && owner == other.owner
            && isOutOfOrder == other.isOutOfOrder && amountByte == other.amountByte
    }
}

extension DayBest {
    /// Whether this attempt begins after that of the next day of the same owner: its date came again.
    func begins(afterNext next: DayBest) -> Bool {
        isOutOfOrder && next.isOutOfOrder && next.day.number == day.number + 1
    }
}

/// The days between which the attempt of a day counts, as distances from that day.
///
/// Over a range of days an actor counts by its earliest attempt of the greatest depth. Each day's best attempt stores
/// the days between which it is that attempt, so that the counts of any range are sums over days: it counts for the
/// days `a...b` exactly when `previous < a`, `a <= day`, `day <= b` and `b < next`.
struct DayGaps: Sendable, Hashable, Comparable {
    /// The days back to the last earlier day with an attempt at least as deep; 0 where there is none.
    var previous: UInt32 = 0
    /// The days on to the first later day with a deeper attempt; 0 where there is none.
    var next: UInt32 = 0

    static func < (lhs: DayGaps, rhs: DayGaps) -> Bool {
        lhs.previous != rhs.previous ? lhs.previous < rhs.previous : lhs.next < rhs.next
    }
}

/// Finds the gaps of the days of one owner after another, and reuses its memory for each.
struct DayGapsSearch {
    /// The gaps, in order of the days.
    private(set) var gaps: [DayGaps] = []
    // The days visited last with an attempt of each depth, by the depth minus 1; `none` where there is none.
    private var visited = [Int32](repeating: none, count: Funnel.maximumStepCount)
    private static let none = Int32.min

    /// Finds the gaps of days, which must be in order.
    ///
    /// Of attempts of the same depth, the one that begins first counts. It is that of the earlier day, but where a date
    /// came again.
    mutating func find(_ days: ArraySlice<DayBest>) {
        gaps.removeAll(keepingCapacity: true)
        for _ in days { gaps.append(DayGaps()) }
        // Most actors are active on one day only.
        guard days.count > 1 else { return }
        Self.find(days, &gaps, &visited)
    }

    private static func find(_ days: ArraySlice<DayBest>, _ gaps: inout [DayGaps], _ visited: inout [Int32]) {
        var depths = 0
        for best in days { depths = max(depths, best.depth) }
        // Spans check only once that nothing else refers to the arrays.
        var gaps = gaps.mutableSpan
        var visited = visited.mutableSpan
        for depth in 0..<depths { visited[depth] = none }
        for index in days.indices.reversed() {
            let (day, depth) = (days[index].day.number, days[index].depth)
            // The nearest later day with an attempt that counts before this one.
            var next = Int32.max
            if index + 1 < days.endIndex, days[index + 1].depth == depth, days[index].begins(afterNext: days[index + 1])
            {
                next = days[index + 1].day.number
            } else {
                for deeper in depth..<depths where visited[deeper] != none { next = min(next, visited[deeper]) }
            }
            if next != .max { gaps[index - days.startIndex].next = UInt32(next - day) }
            visited[depth - 1] = day
        }
        for depth in 0..<depths { visited[depth] = none }
        var last: (index: Int, visited: Int32)?
        for index in days.indices {
            let (day, depth) = (days[index].day.number, days[index].depth)
            // The nearest earlier day with an attempt that counts before this one.
            if let last, days[last.index].depth == depth, days[last.index].begins(afterNext: days[index]) {
                visited[depth - 1] = last.visited
            }
            if days[index].isOutOfOrder { last = (index, visited[depth - 1]) }
            var previous = none
            for deeper in (depth - 1)..<depths { previous = max(previous, visited[deeper]) }
            if previous != none { gaps[index - days.startIndex].previous = UInt32(day - previous) }
            visited[depth - 1] = day
        }
    }
}

extension SummaryGroup {
    /// Adds a day's best attempt.
    ///
    /// - Parameters:
    ///   - count: how often it is added; negative where it is removed.
    ///   - details: the details of the install's results.
    ///   - strings: the strings that the amounts refer to.
    mutating func add(_ best: DayBest, count: Int64, _ details: ResultDetails, _ strings: StringTable) {
        add(depth: best.depth, ending: best.ending, times: details.times(of: best), count: count)
        guard best.amountCount > 0 else { return }
        let amounts = details.amounts(of: best).map { amount in
            if case .amount(let amount, let unit) = amount {
                SummaryAmount(amount: amount, unit: Array(strings[unit]))
            } else {
                SummaryAmount(amount: 0, unit: nil)
            }
        }
        add(amounts, count: count)
    }
}
