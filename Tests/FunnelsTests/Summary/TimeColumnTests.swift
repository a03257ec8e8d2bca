import FlowEventTestSupport
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct TimeColumnTests {
    @Test func `each bucket begins where the one before ends, and is an eighth of a power of two wide`() {
        var previous = TimeColumn.bucket(of: 0)
        #expect(previous == 0)
        for time in 1..<100_000 as Range<Int64> {
            let bucket = TimeColumn.bucket(of: time)
            #expect(bucket == previous || bucket == previous + 1)
            if bucket > previous, time >= 16 {
                let width = (1...time).first { TimeColumn.bucket(of: time + $0) > bucket } ?? 0
                #expect(width * 8 <= time && width * 16 > time)
            }
            previous = bucket
        }
        #expect(TimeColumn.bucketCount == TimeColumn.bucket(of: Funnel.maximumWindow) + 1)
    }

    @Test(arguments: Seeds.upTo(200))
    func `what is encoded comes back in order, with its buckets' sums`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let column = TimeColumn.summed(Self.random(using: &generator))
        var bytes: [UInt8] = []
        TimeColumn.encode(column, to: &bytes)
        bytes.append(17)
        var decoded: [TimeCount] = []
        var sums: [Int: Int64] = [:]
        try bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            try TimeColumn.decode(&reader, to: &decoded)
            #expect(try reader.byte() == 17)
            reader = ByteReader(bytes)
            try TimeColumn.forEachBucket(in: &reader) { bucket, sum, _ in
                #expect(sums.updateValue(sum, forKey: bucket) == nil)
            }
        }
        #expect(decoded == column)
        #expect(column.map(\.time) == Set(column.map(\.time)).sorted())
        #expect(sums == Dictionary(column.map { (TimeColumn.bucket(of: $0.time), $0.count) }, uniquingKeysWith: +))
    }

    @Test(arguments: Seeds.upTo(200))
    func `equal times are added up, and those that cancel out are gone`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let entries = Self.random(using: &generator)
        var sums: [Int64: Int64] = [:]
        for entry in entries { sums[entry.time, default: 0] += entry.count }
        let summed = TimeColumn.summed(entries)
        #expect(summed == sums.filter { $0.value != 0 }.sorted { $0.key < $1.key }.map { .init(time: $0, count: $1) })
    }

    static func random(using generator: inout SeededGenerator) -> [TimeCount] {
        let bound: UInt64 = generator.pick([3, 1000, 5_000_000, UInt64(Funnel.maximumWindow) + 1])
        return (0..<Int(generator.next() % 60)).map { _ in
            TimeCount(time: Int64(generator.next() % bound), count: generator.pick([1, 1, 1, -1, 2, 300]))
        }
    }
}
