import FlowEventTestSupport
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct TimeSearchTests {
    @Test(arguments: Seeds.upTo(300))
    func `percentiles and counts below a bound are those of the times that all columns leave`(seed: UInt64) throws {
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
        let encoded = columns.map(Self.encoded)
        let percents: [Int64] = [1, 10, 25, 50, 75, 90, 95, 99, 100]
        let bounds: [Int64] = [1, 2, 1000, 4096, 5_000_000, Funnel.maximumWindow]
        let search = try Self.search(encoded, percents, bounds)
        let sorted = times.sorted()
        for percent in percents {
            let rank = (Int(percent) * sorted.count + 99) / 100
            #expect(try search.time(atPercent: percent) == (sorted.isEmpty ? nil : sorted[rank - 1]), "seed \(seed)")
        }
        for bound in bounds {
            #expect(try search.count(below: bound) == Int64(times.count { $0 < bound }), "seed \(seed), \(bound)")
        }
        #expect(search.count == Int64(times.count))
    }

    @Test func `a column whose index promises more than its bucket has is damaged`() throws {
        // The index says that bucket 7 has 6 times; its body has one byte: time 7, once.
        let column: [UInt8] = [1, 7, 12, 1, 0]
        #expect(throws: DamagedBytes.self) {
            let columns = [Self.encoded([TimeCount(time: 5, count: 1)]), column]
            _ = try Self.search(columns, [50], []).time(atPercent: 50)
        }
    }

    private static func encoded(_ column: [TimeCount]) -> [UInt8] {
        var bytes: [UInt8] = []
        TimeColumn.encode(TimeColumn.summed(column), to: &bytes)
        return bytes
    }

    private static func search(_ columns: [[UInt8]], _ percents: [Int64], _ bounds: [Int64]) throws -> TimeSearch {
        var histogram = TimeHistogram()
        for column in columns { try read(column) { try histogram.add(&$0) } }
        var search = try TimeSearch(histogram, percents: percents, bounds: bounds)
        for column in columns { try read(column) { try search.add(&$0) } }
        return search
    }

    private static func read(_ column: [UInt8], _ body: (inout ByteReader) throws -> Void) throws {
        try column.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            try body(&reader)
            #expect(reader.isAtEnd)
        }
    }
}
