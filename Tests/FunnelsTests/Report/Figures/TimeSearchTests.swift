import FlowEventTestSupport
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct MedianSearchTests {
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `the median is the value at the lower middle rank of what all columns leave`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var columns: [[TimeCount]] = Array(repeating: [], count: 1 + Int(generator.next() % 5))
        var times: [Int64] = []
        let bound: UInt64 = generator.pick([3, 1000, 5_000_000, UInt64(Funnel.maximumWindow) + 1])
        for _ in 0..<Int(generator.next() % 100) {
            let time = Int64(generator.next() % bound)
            times.append(time)
            columns[Int(generator.next() % UInt64(columns.count))].append(TimeCount(time: time, count: 1))
            // One column may remove the times of another.
            if generator.chance(30), let gone = times.randomElement(using: &generator) {
                columns[Int(generator.next() % UInt64(columns.count))].append(TimeCount(time: gone, count: -1))
                times.remove(at: times.firstIndex(of: gone) ?? 0)
            }
        }
        let expected = times.isEmpty ? nil : times.sorted()[(times.count + 1) / 2 - 1]
        #expect(try Self.median(of: columns.map(Self.encoded)) == expected, "seed \(seed)")
    }

    @Test func `a column whose index promises more than its bucket has is damaged`() throws {
        // The index says that bucket 7 has 6 times; its body has one byte: time 7, once.
        let column: [UInt8] = [1, 7, 12, 1, 0]
        #expect(throws: DamagedBytes.self) {
            try Self.median(of: [Self.encoded([TimeCount(time: 5, count: 1)]), column])
        }
    }

    private static func encoded(_ column: [TimeCount]) -> [UInt8] {
        var bytes: [UInt8] = []
        TimeColumn.encode(TimeColumn.summed(column), to: &bytes)
        return bytes
    }

    private static func median(of columns: [[UInt8]]) throws -> Int64? {
        var histogram = TimeHistogram()
        for column in columns { try read(column) { try histogram.add(&$0) } }
        guard var search = try MedianSearch(histogram) else { return nil }
        for column in columns { try read(column) { try search.add(&$0) } }
        return try search.median()
    }

    private static func read(_ column: [UInt8], _ body: (inout ByteReader) throws -> Void) throws {
        try column.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            try body(&reader)
            #expect(reader.isAtEnd)
        }
    }
}
