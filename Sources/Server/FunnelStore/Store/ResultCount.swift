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
    /// The days back to the actors' last earlier day with an attempt at least as deep; 0 where there is none.
    package let previousGap: Int32
    /// The days on to the actors' first later day with a deeper attempt; 0 where there is none.
    package let nextGap: Int32
    /// The number of steps met.
    package let depth: Int
    /// How many actors are added; negative where they are removed.
    package fileprivate(set) var actors: Int64
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

    private static func summed(_ counts: [ResultCount]) -> [ResultCount] {
        var sums: [ResultCount: Int64] = [:]
        for var count in counts {
            let actors = count.actors
            count.actors = 0
            sums[count, default: 0] += actors
        }
        return sums.map { count, actors in
            var count = count
            count.actors = actors
            return count
        }
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
