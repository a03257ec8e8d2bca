import EventTestSupport
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct SummarySegmentTests {
    @Test(arguments: 0..<100 as Range<UInt64>)
    func `merging is adding up, and what is taken away is gone`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var sums: [SummaryRecord: Int64] = [:]
        var segments: [[UInt8]] = []
        for _ in 0..<6 {
            var records: [SummaryRecord] = []
            for _ in 0..<Int(generator.next() % 30) {
                let depth = Int(generator.next() % 4) + 1
                var record = SummaryRecord(
                    previousGap: UInt32(generator.next() % 3),
                    nextGap: UInt32(generator.next() % 3),
                    depth: depth,
                    times: (1..<depth).map { _ in Int64(generator.pick([0, 1, 5, 400_000, 8_640_000_000_000])) },
                    count: 0
                )
                if depth == 1 { record.times = [] }
                let count = generator.pick([-1, 1, 2]) as Int64
                sums[record, default: 0] += count
                record.count = count
                records.append(record)
            }
            segments.append(SummarySegment.encoded(records))
        }
        let merged = try SummarySegment.decoded(try SummarySegment.merged(segments))
        var found: [SummaryRecord: Int64] = [:]
        for record in merged {
            var key = record
            key.count = 0
            #expect(found.updateValue(record.count, forKey: key) == nil)
        }
        #expect(found == sums.filter { $0.value != 0 })
    }

    @Test func `a segment and its negation leave nothing`() throws {
        let record = SummaryRecord(previousGap: 0, nextGap: 2, depth: 2, times: [17], count: 1)
        var negated = record
        negated.count = -1
        #expect(try SummarySegment.merged([SummarySegment.encoded([record]), SummarySegment.encoded([negated])]) == [])
    }

    @Test func `folding keeps the segments of a key few and the work logarithmic`() {
        var sizes: [Int] = []
        var work = 0
        for _ in 0..<10_000 {
            let fold = SummarySegment.foldCount(existing: sizes, new: 10)
            let merged = sizes.suffix(fold).reduce(10, +)
            work += merged
            sizes.removeLast(fold)
            sizes.append(merged)
            #expect(sizes.count <= 17)
        }
        #expect(work < 10_000 * 10 * 20)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `damaged bytes are an error or other records, never a crash`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let record = SummaryRecord(previousGap: 1, nextGap: 0, depth: 3, times: [17, 400_000], count: 1)
        let segment = SummarySegment.encoded([record, record])
        for _ in 0..<100 {
            var bytes = segment
            for _ in 0..<3 {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            _ = try? SummarySegment.decoded(bytes)
            var tally = FunnelTally(stepCount: 2, from: nil, to: nil)
            _ = bytes.withUnsafeBytes { bytes in try? tally.add(bytes, day: Day(number: 0)) }
            _ = tally.results(for: [Step(name: "a", event: "a"), Step(name: "b", event: "b")])
        }
    }
}
