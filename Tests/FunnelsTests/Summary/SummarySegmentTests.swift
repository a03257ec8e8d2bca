import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct SummarySegmentTests {
    @Test(arguments: Seeds.upTo(100))
    func `merging is adding up, and what is taken away is gone`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var records: [SummaryRecord] = []
        var segments: [[UInt8]] = []
        for _ in 0..<6 {
            let more = (0..<Int(generator.next() % 30)).map { _ in
                Self.record(using: &generator, hasExtras: seed % 2 == 0)
            }
            records += more
            segments.append(SummarySegment.encoded(more))
        }
        let merged = try SummarySegment.merged(segments)
        #expect(try Figures(in: merged) == Figures(of: records))
        // Equal segments have equal bytes, however they were merged.
        #expect(merged == SummarySegment.encoded(records.shuffled(using: &generator)))
    }

    @Test(arguments: Seeds.upTo(100))
    func `adding a group adds each of its attempts`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (one, other, all) = (SummaryGroup(), SummaryGroup(), SummaryGroup())
        for _ in 0..<Int(generator.next() % 30) {
            let record = Self.record(using: &generator, hasExtras: true)
            all.add(record)
            if generator.chance(50) { one.add(record) } else { other.add(record) }
        }
        one.add(other)
        #expect(SummarySegment.encoded([DayGaps(): one]) == SummarySegment.encoded([DayGaps(): all]))
    }

    private static func record(using generator: inout SeededGenerator, hasExtras: Bool = false) -> SummaryRecord {
        let depth = Int(generator.next() % 5) + 1
        var record = SummaryRecord(
            gaps: DayGaps(previous: UInt32(generator.next() % 3), next: UInt32(generator.next() % 3)),
            depth: depth,
            times: (1..<depth).map { _ in Int64(generator.pick([0, 1, 5, 400_000, 86_400_000])) },
            count: generator.pick([-1, 1, 2])
        )
        guard hasExtras else { return record }
        record.endingCode = generator.pick([0, 1, 3, UInt8(Outcome.greatestEntryCount)])
        for _ in 0..<(generator.next() % 3) {
            let unit = generator.pick([nil, "", "EUR", "U"] as [String?])
            let amount = unit == nil ? 0 : generator.pick([-1, 0, 1_099_511_627_776] as [Int64])
            record.amounts.append(SummaryAmount(amount: amount, unit: unit.map { Array($0.utf8) }))
        }
        return record
    }

    /// A count that a report may need: the attempts with the same gaps that reached a step after a time from the first
    /// or the previous step.
    private struct Figures: Equatable {
        private struct Key: Hashable {
            var gaps: DayGaps
            var step: Int
            var isFromFirst: Bool
            /// `nil` for the count of attempts that ended at the step.
            var time: Int64?
        }

        private var counts: [Key: Int64] = [:]

        private mutating func add(
            _ count: Int64,
            _ gaps: DayGaps,
            step: Int,
            isFromFirst: Bool = true,
            time: Int64? = nil
        ) {
            let key = Key(gaps: gaps, step: step, isFromFirst: isFromFirst, time: time)
            let sum = counts[key, default: 0] + count
            counts[key] = sum == 0 ? nil : sum
        }

        init(of records: [SummaryRecord]) {
            for record in records {
                let gaps = record.gaps
                add(record.count, gaps, step: record.depth)
                for (index, time) in record.times.enumerated() {
                    add(record.count, gaps, step: index + 2, time: record.times[...index].reduce(0, +))
                    add(record.count, gaps, step: index + 2, isFromFirst: false, time: time)
                }
            }
        }

        init(in segment: [UInt8]) throws {
            for (gaps, group) in try SummarySegment.groups(of: [segment]) {
                for (index, count) in group.ends.enumerated() { add(count, gaps, step: index + 1) }
                for step in 2..<max(2, group.ends.count + 1) {
                    for entry in group.columns[SummaryGroup.column(fromFirst: step)] {
                        add(entry.count, gaps, step: step, time: entry.time)
                    }
                    for entry in group.columns[SummaryGroup.column(fromPrevious: step)] {
                        add(entry.count, gaps, step: step, isFromFirst: false, time: entry.time)
                    }
                }
            }
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `endings and sums add up over segments`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let records = (0..<40).map { _ in Self.record(using: &generator, hasExtras: true) }
        let segments = records.map { SummarySegment.encoded([$0]) }
        var (endings, sums, counts): ([[Int]: Int64], [String: Int64], [String: Int64]) = ([:], [:], [:])
        for record in records {
            if record.endingCode > 0 { endings[[record.depth, Int(record.endingCode)], default: 0] += record.count }
            for (index, amount) in record.amounts.enumerated() {
                let key = "\(index) \(amount.unit.map { String(decoding: $0, as: UTF8.self) } ?? "without")"
                sums[key, default: 0] += amount.amount * record.count
                counts[key, default: 0] += record.count
            }
        }
        let merged = try SummarySegment.merged(segments)
        let all = try SummarySegment.groups(of: [merged]).values.map(\.extras)
        for depth in 1...5 {
            for ending in 1...Outcome.greatestEntryCount {
                let found = all.map { $0.count(depth: depth, ending: ending) }.reduce(0, +)
                #expect(found == endings[[depth, ending]] ?? 0)
            }
        }
        for (key, sum) in sums {
            let found = all.flatMap(\.sums).filter { entry in
                key == "\(entry.key.sum) \(entry.key.unit.map { String(decoding: $0, as: UTF8.self) } ?? "without")"
            }
            #expect(found.map(\.value.sum).reduce(0, +) == sum)
            #expect(found.map(\.value.count).reduce(0, +) == counts[key])
        }
    }

    @Test func `a segment and its negation leave nothing`() throws {
        let record = SummaryRecord(gaps: DayGaps(previous: 0, next: 2), depth: 2, times: [17], count: 1)
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
        let record = SummaryRecord(gaps: DayGaps(previous: 1, next: 0), depth: 3, times: [17, 400_000], count: 1)
        let segment = SummarySegment.encoded([record, record])
        for _ in 0..<100 {
            var bytes = segment
            for _ in 0..<3 {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            _ = try? SummarySegment.merged([bytes])
            try? report(on: bytes)
        }
    }

    private func report(on segment: [UInt8]) throws {
        let day = Day(number: 0)
        let steps = [Step(name: "a", event: "a").summing("x"), Step(name: "b", event: "b")]
        let funnel = try Funnel(name: "f", window: .seconds(1), exclusions: [Exclusion(event: "c")], steps: steps)
        var tally = FunnelTally(funnel)
        try segment.withUnsafeBytes { try tally.add($0, day: day, in: SummaryRange(nil, nil)) }
        var figures = try FunnelFigures(tally, hasTimes: true)
        try segment.withUnsafeBytes { try figures.add($0, day: day, in: SummaryRange(nil, nil)) }
        _ = try figures.results(for: funnel)
    }
}
