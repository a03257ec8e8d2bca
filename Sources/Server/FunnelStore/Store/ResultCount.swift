package import Funnels

/// A row of the view `funnel_results`: how many actors count between the same days with the same depth.
///
/// The counts of a funnel over a range of days are sums over rows, see `SummarySegment`. A store adds the counts of each
/// segment in the transaction that adds the segment, so that SQL sees what a report sees.
package struct ResultCount: Sendable, Hashable {
    /// The index of the funnel in the definitions.
    package let funnel: Int
    /// The text of the breakdown value, valid UTF-8 without U+0000; `nil` for all actors.
    package let value: [UInt8]?
    /// The day of the attempts' first events.
    package let day: Int32
    /// The days back to the actors' last earlier day with an attempt of at least this depth; 0 where there is none.
    package let previousGap: Int32
    /// The days on to the actors' first later day with a deeper attempt; 0 where there is none.
    package let nextGap: Int32
    /// The number of required steps met.
    package let depth: Int
    /// How many actors are added; negative where they are removed.
    package fileprivate(set) var actors: Int64

    package init(
        funnel: Int,
        value: [UInt8]?,
        day: Int32,
        previousGap: Int32,
        nextGap: Int32,
        depth: Int,
        actors: Int64
    ) {
        self.funnel = funnel
        self.value = value
        self.day = day
        self.previousGap = previousGap
        self.nextGap = nextGap
        self.depth = depth
        self.actors = actors
    }
}

extension ResultCount {
    /// Returns what deltas add to the rows, each row once, in the order of the rows' keys.
    ///
    /// - Throws: `DamagedSegment` where a segment cannot be read.
    package static func counts(of deltas: [SummaryDelta]) throws -> [ResultCount] {
        var counts: [ResultCount] = []
        var isChanged = false
        for delta in deltas.sorted(by: precedes) {
            let value = delta.key.value.map(shown)
            isChanged = isChanged || value != delta.key.value
            try SummarySegment.forEachCount(in: delta.segment) { previousGap, nextGap, depth, actors in
                counts.append(
                    ResultCount(
                        funnel: delta.key.funnel,
                        value: value,
                        day: delta.key.day.number,
                        previousGap: Int32(clamping: previousGap),
                        nextGap: Int32(clamping: nextGap),
                        depth: depth,
                        actors: actors
                    )
                )
            }
        }
        // Two values may be shown as the same text.
        return isChanged ? summed(counts) : counts
    }

    /// Returns those of the funnels whose rows do not add up to the counts of the summary's segments.
    ///
    /// - Parameters:
    ///   - funnels: indices in the store's definitions.
    ///   - summary: the summary.
    ///   - forEachRow: calls its last argument with each row of a funnel, of all actors or of the breakdown's values.
    /// - Throws: `DamagedSegment`, and what the store throws.
    package static func funnelsWithOtherRows(
        among funnels: Range<Int>,
        in summary: any SummarySource,
        forEachRow: (_ funnel: Int, _ byValue: Bool, _ body: (ResultCount) throws -> Void) throws -> Void
    ) throws -> [Int] {
        try funnels.filter { funnel in
            try [false, true].contains { byValue in
                var left = ResultCountSums()
                try summary.forEachSegment(funnel: funnel, byValue: byValue, from: nil, to: nil) {
                    value,
                    day,
                    segment in
                    let key = SummaryKey(funnel: funnel, value: value, day: day)
                    for count in try counts(of: [SummaryDelta(key: key, segment: Array(segment))]) { left.add(count) }
                }
                try forEachRow(funnel, byValue) { left.subtract($0) }
                return !left.isZero
            }
        }
    }

    private static func summed(_ counts: [ResultCount]) -> [ResultCount] {
        var sums = ResultCountSums()
        for count in counts { sums.add(count) }
        return sums.counts
    }

    private static func precedes(_ lhs: SummaryDelta, _ rhs: SummaryDelta) -> Bool {
        let (left, right) = (lhs.key, rhs.key)
        if left.funnel != right.funnel { return left.funnel < right.funnel }
        guard let leftValue = left.value, let rightValue = right.value else {
            if (left.value == nil) != (right.value == nil) { return left.value == nil }
            return left.day < right.day
        }
        if left.day != right.day { return left.day < right.day }
        return leftValue.lexicographicallyPrecedes(rightValue)
    }

    /// Returns a value as SQL shows it: not every database has texts with U+0000.
    private static func shown(_ value: [UInt8]) -> [UInt8] {
        guard value.contains(where: { $0 == 0 || $0 >= 0x80 }) else { return value }
        return String(decoding: value, as: UTF8.self).unicodeScalars.flatMap { scalar in
            Array(String(scalar == "\u{0}" ? "\u{FFFD}" : scalar).utf8)
        }
    }
}

/// Sums of actors by the rest of the row.
private struct ResultCountSums {
    private var sums: [ResultCount: Int64] = [:]

    var isZero: Bool { sums.values.allSatisfy { $0 == 0 } }

    var counts: [ResultCount] {
        sums.map { count, actors in
            var count = count
            count.actors = actors
            return count
        }
    }

    mutating func add(_ count: ResultCount) { add(count, count.actors) }

    mutating func subtract(_ count: ResultCount) { add(count, -count.actors) }

    private mutating func add(_ count: ResultCount, _ actors: Int64) {
        var key = count
        key.actors = 0
        sums[key, default: 0] += actors
    }
}
