package import Funnels

/// Summary segments with attempts of one step, each identified by a number: enough to see that a store neither loses
/// nor repeats one. The encoding is that of ``SummarySegment``.
package enum CountedSegment {
    package static func encoded(_ counts: [Int: Int]) -> [UInt8] {
        counts.sorted { $0.key < $1.key }.flatMap { number, count -> [UInt8] in
            let signed = varint(count < 0 ? UInt64(-count) * 2 - 1 : UInt64(count) * 2)
            // One outcome: that of rank 1.
            return varint(UInt64(number)) + [0] + varint(UInt64(signed.count + 2)) + [1, 1] + signed
        }
    }

    package static func decoded(_ segment: some Collection<UInt8>) -> [Int: Int] {
        var rest = Array(segment)[...]
        var counts: [Int: Int] = [:]
        while !rest.isEmpty {
            let number = Int(readVarint(&rest))
            for _ in 0..<4 { _ = readVarint(&rest) }
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

extension SummarySource {
    /// Returns the sum of one funnel's segments by breakdown value and day. Sums of zero are left out.
    package func counts(
        funnel: Int,
        byValue: Bool,
        from: Int32? = nil,
        to: Int32? = nil
    ) throws -> [SummaryKey: [Int: Int]] {
        var sums: [SummaryKey: [Int: Int]] = [:]
        let (from, to) = (from.map(Day.init(number:)), to.map(Day.init(number:)))
        try forEachSegment(funnel: funnel, byValue: byValue, from: from, to: to) { value, day, segment in
            let key = SummaryKey(funnel: funnel, value: value, day: day)
            sums[key, default: [:]].merge(CountedSegment.decoded(segment), uniquingKeysWith: +)
        }
        return sums.mapValues { $0.filter { $0.value != 0 } }.filter { !$0.value.isEmpty }
    }
}
