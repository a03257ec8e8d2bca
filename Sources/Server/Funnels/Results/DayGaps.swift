/// The days between which the attempt of a day counts, as distances from that day.
///
/// Over a range of days an actor counts by its earliest attempt of the greatest rank. A day's best attempt is that one in
/// each range that has its day, but neither the day of ``previous`` nor that of ``next``. So the counts of a range are sums
/// over its days.
package struct DayGaps: Sendable, Hashable, Comparable {
    /// The days back to the last earlier day with an attempt at least as high; 0 where there is none.
    package var previous: UInt32 = 0
    /// The days on to the first later day with a higher attempt; 0 where there is none.
    package var next: UInt32 = 0

    package init(previous: UInt32 = 0, next: UInt32 = 0) {
        self.previous = previous
        self.next = next
    }

    package static func < (lhs: DayGaps, rhs: DayGaps) -> Bool {
        lhs.previous != rhs.previous ? lhs.previous < rhs.previous : lhs.next < rhs.next
    }
}

/// Finds the gaps of the days of one owner after another, and reuses its memory for each.
struct DayGapsSearch {
    /// The gaps, in order of the days.
    private(set) var gaps: [DayGaps] = []
    // The days visited last with an attempt of each rank, by the rank minus 1; `none` where there is none.
    private var visited = [Int32](repeating: none, count: Funnel.maximumStepCount)
    private static let none = Int32.min

    /// Finds the gaps of days, which must be in order.
    ///
    /// Of attempts of the same rank, the one that begins first counts. It is that of the earlier day, but where a date
    /// came again.
    mutating func find(_ days: ArraySlice<DayOutcome>) {
        gaps.removeAll(keepingCapacity: true)
        for _ in days { gaps.append(DayGaps()) }
        // Most actors are active on one day only.
        guard days.count > 1 else { return }
        Self.find(days, &gaps, &visited)
    }

    private static func find(_ days: ArraySlice<DayOutcome>, _ gaps: inout [DayGaps], _ visited: inout [Int32]) {
        var ranks = 0
        for best in days { ranks = max(ranks, best.rank) }
        // Spans check only once that nothing else refers to the arrays.
        var gaps = gaps.mutableSpan
        var visited = visited.mutableSpan
        for rank in 0..<ranks { visited[rank] = none }
        for index in days.indices.reversed() {
            let (day, rank) = (days[index].day.number, days[index].rank)
            // The nearest later day with an attempt that counts before this one.
            var next = Int32.max
            if index + 1 < days.endIndex, days[index + 1].rank == rank, days[index].begins(afterNext: days[index + 1]) {
                next = days[index + 1].day.number
            } else {
                for higher in rank..<ranks where visited[higher] != none { next = min(next, visited[higher]) }
            }
            if next != .max { gaps[index - days.startIndex].next = UInt32(next - day) }
            visited[rank - 1] = day
        }
        for rank in 0..<ranks { visited[rank] = none }
        var last: (index: Int, visited: Int32)?
        for index in days.indices {
            let (day, rank) = (days[index].day.number, days[index].rank)
            // The nearest earlier day with an attempt that counts before this one.
            if let last, days[last.index].rank == rank, days[last.index].begins(afterNext: days[index]) {
                visited[rank - 1] = last.visited
            }
            if days[index].isOutOfOrder { last = (index, visited[rank - 1]) }
            var previous = none
            for higher in (rank - 1)..<ranks { previous = max(previous, visited[higher]) }
            if previous != none { gaps[index - days.startIndex].previous = UInt32(day - previous) }
            visited[rank - 1] = day
        }
    }
}
