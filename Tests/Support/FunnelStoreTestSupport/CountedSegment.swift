package import Funnels

/// Summary segments with attempts of one step, each identified by a number: enough to see that a store neither loses
/// nor repeats one. The encoding is that of ``SummarySegment``.
package enum CountedSegment {
    fileprivate static func encoded(_ counts: [Int: Int]) -> [UInt8] {
        counts.sorted { $0.key < $1.key }.flatMap { number, count -> [UInt8] in
            let signed = varint(count < 0 ? UInt64(-count) * 2 - 1 : UInt64(count) * 2)
            // No times and one detail. Its subject, 13, says that it has no sums and where the attempts of rank 1 went: to a place
            // without a name.
            return varint(UInt64(number)) + [0] + varint(UInt64(signed.count + 4)) + [0, 1, 13, 0] + signed
        }
    }

    package static func decoded(_ segment: some Collection<UInt8>) -> [Int: Int] {
        var rest = Array(segment)[...]
        var counts: [Int: Int] = [:]
        while !rest.isEmpty {
            let number = Int(readVarint(&rest))
            for _ in 0..<6 { _ = readVarint(&rest) }
            let signed = readVarint(&rest)
            counts[number, default: 0] += signed % 2 == 0 ? Int(signed / 2) : -Int(signed / 2) - 1
        }
        return counts
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value % 128) + 128] + varint(value / 128)
    }

    private static func readVarint(_ bytes: inout ArraySlice<UInt8>) -> UInt64 {
        guard let byte = bytes.popFirst() else { return 0 }
        return byte < 128 ? UInt64(byte) : UInt64(byte - 128) + 128 * readVarint(&bytes)
    }
}

extension SummaryDelta {
    /// Attempts of one step, each identified by a number: in the segment, and in the counts as the steps of its outcome.
    package static func numbered(_ key: SummaryKey, _ counts: [Int: Int]) -> SummaryDelta {
        let rows = counts.compactMap { number, count in
            let outcome = Outcome(code: number == 0 ? 1 : (Int64(number) << 1 | 1) << 9 | 1)
            return outcome.map { OutcomeCount(gaps: DayGaps(), outcome: $0, actors: Int64(count)) }
        }
        return SummaryDelta(key: key, counts: rows, segment: CountedSegment.encoded(counts))
    }
}

/// The counts of a store are other ones than its segments have.
package struct OtherCounts: Error {
    let value: [UInt8]?
    /// By number, how many more attempts the segments have.
    let left: [Int: Int]
}

extension SummarySource {
    /// Returns the sum of one funnel's numbered attempts by breakdown value and day. Sums of zero are left out.
    ///
    /// - Throws: ``OtherCounts`` where the counts have other sums than the segments.
    package func counts(
        funnel: Int,
        byValue: Bool,
        in days: DayRange = .all
    ) throws -> [SummaryKey: [Int: Int]] {
        var sums: [SummaryKey: [Int: Int]] = [:]
        try forEachSegment(funnel: funnel, byValue: byValue, in: days) { value, day, segment in
            let key = SummaryKey(funnel: funnel, value: value, day: day)
            sums[key, default: [:]].merge(CountedSegment.decoded(segment), uniquingKeysWith: +)
        }
        sums = sums.mapValues { $0.filter { $0.value != 0 } }.filter { !$0.value.isEmpty }
        for range in Set(sums.keys.map { DayRange($0.day, $0.day) } + [days]) {
            var left: [[UInt8]?: [Int: Int]] = [:]
            for (key, counts) in sums where range.contains(key.day) {
                left[key.value, default: [:]].merge(counts, uniquingKeysWith: +)
            }
            try forEachCount(funnel: funnel, byValue: byValue, in: range) { value, outcome, actors in
                left[value, default: [:]][Int(outcome.steps >> 1), default: 0] -= Int(actors)
            }
            for (value, counts) in left where !counts.values.allSatisfy({ $0 == 0 }) {
                throw OtherCounts(value: value, left: counts)
            }
        }
        return sums
    }
}
