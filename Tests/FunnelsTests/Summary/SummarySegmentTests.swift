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
            let more = (0..<Int(generator.next() % 30)).map { _ in Self.record(&generator, isPlain: seed % 2 == 0) }
            records += more
            segments.append(try SummarySegment.encoded(more))
        }
        let merged = try SummarySegment.merged(segments)
        #expect(try Figures(in: merged) == Figures(of: records))
        // Equal segments have equal bytes, however they were merged.
        #expect(merged == (try SummarySegment.encoded(records.shuffled(using: &generator))))
    }

    @Test(arguments: Seeds.upTo(100))
    func `adding a group adds each of its attempts`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (one, other, all) = (SummaryGroup(), SummaryGroup(), SummaryGroup())
        for _ in 0..<Int(generator.next() % 30) {
            let record = Self.record(&generator)
            try all.add(record)
            if generator.chance(50) { try one.add(record) } else { try other.add(record) }
        }
        one.add(other)
        #expect(SummarySegment.encoded([DayGaps(): one]) == SummarySegment.encoded([DayGaps(): all]))
    }

    /// Attempts in a funnel with the steps a, b?, c, d?, e, of which a and c have sums.
    ///
    /// - Parameter isPlain: whether they met no optional step and have no endings, amounts and next places.
    private static func record(_ generator: inout SeededGenerator, isPlain: Bool = false) -> SummaryRecord {
        let rank = Int(generator.next() % 3) + 1
        var steps: UInt32 = [0b1, 0b101, 0b10101][rank - 1]
        var ending = Outcome.Ending.open
        if !isPlain {
            if generator.chance(50) { steps |= 0b10 }
            if rank > 1, generator.chance(50) { steps |= 0b1000 }
            let entries = generator.pick([1, 3, Outcome.greatestEntryCount])
            ending = rank == 3 ? .complete(entries: entries) : generator.pick([.open, .excluded])
        }
        var time: Int64 = 0
        var record = SummaryRecord(
            gaps: DayGaps(previous: UInt32(generator.next() % 3), next: UInt32(generator.next() % 3)),
            Outcome(steps: steps, rank: rank, ending: ending),
            times: (1..<steps.nonzeroBitCount).map { _ in
                time += Int64(generator.pick([0, 1, 5, 400_000, 86_400_000]))
                return time
            },
            count: generator.pick([-1, 1, 2])
        )
        guard !isPlain else { return record }
        for _ in 0..<min(rank, 2) {
            let unit = generator.pick([nil, "", "EUR", "U"] as [String?])
            let amount = generator.pick([-1, 0, 1_099_511_627_776] as [Int64])
            record.amounts.append(unit.map { SummaryRecord.Amount(amount: amount, unit: $0) })
        }
        if rank < 3 { record.next = generator.pick([nil, "", "home"] as [String?]) }
        return record
    }

    /// All that a report may need: sums over the attempts with the same gaps, by what they have in common.
    private struct Figures: Equatable {
        private enum Key: Hashable {
            case fromFirst(DayGaps, step: Int, time: Int64)
            case fromPrevious(DayGaps, step: Int, time: Int64)
            case amount(DayGaps, step: Int, unit: String?)
            case square(DayGaps, step: Int, unit: String?)
            case amounts(DayGaps, step: Int, unit: String?)
            case next(DayGaps, rank: Int, place: String)
        }

        private var sums: [Key: Int128] = [:]

        private mutating func add(_ count: some BinaryInteger, _ key: Key) {
            let sum = sums[key, default: 0] + Int128(count)
            sums[key] = sum == 0 ? nil : sum
        }

        init(of records: [SummaryRecord]) {
            for record in records {
                let (gaps, count, outcome) = (record.gaps, record.count, record.outcome)
                let met = (0..<5).filter(outcome.meets)
                for (step, time) in zip(met.dropFirst(), record.times) {
                    add(count, .fromFirst(gaps, step: step, time: time))
                    // The required step before d and e is c.
                    guard step > 2, let previous = met.dropFirst().firstIndex(of: 2) else { continue }
                    add(count, .fromPrevious(gaps, step: step, time: time - record.times[previous - 1]))
                }
                for (step, amount) in zip([0, 2], record.amounts) {
                    add(count, .amounts(gaps, step: step, unit: amount?.unit))
                    let sum = amount?.amount ?? 0
                    add(Int128(sum) * Int128(count), .amount(gaps, step: step, unit: amount?.unit))
                    add(Int128(sum) * Int128(sum) * Int128(count), .square(gaps, step: step, unit: amount?.unit))
                }
                if let place = record.next { add(count, .next(gaps, rank: outcome.rank, place: place)) }
            }
        }

        init(in segment: [UInt8]) throws {
            for (gaps, group) in try SummarySegment.groups(of: [segment]) {
                for (column, entries) in group.columns.enumerated() {
                    for step in 1..<5 {
                        for entry in entries where column == SummaryGroup.column(fromFirst: step) {
                            add(entry.count, .fromFirst(gaps, step: step, time: entry.time))
                        }
                        for entry in entries where column == SummaryGroup.column(fromPrevious: step) {
                            add(entry.count, .fromPrevious(gaps, step: step, time: entry.time))
                        }
                    }
                }
                for (key, value) in group.details.values {
                    let text = key.text.map { String(decoding: $0, as: UTF8.self) }
                    switch key.subject {
                    case .sum(let step):
                        add(value.count, .amounts(gaps, step: step, unit: text))
                        add(value.sum, .amount(gaps, step: step, unit: text))
                        add(value.squares, .square(gaps, step: step, unit: text))
                    case .next(let rank): add(value.count, .next(gaps, rank: rank, place: text ?? "no place"))
                    case .value: Issue.record("a summary has no values of actors")
                    }
                }
            }
        }
    }

    @Test func `a segment and its negation leave nothing`() throws {
        let outcome = Outcome(steps: 0b101, rank: 2)
        let record = SummaryRecord(gaps: DayGaps(previous: 0, next: 2), outcome, times: [17], count: 1)
        var negated = record
        negated.count = -1
        let segments = [try SummarySegment.encoded([record]), try SummarySegment.encoded([negated])]
        #expect(try SummarySegment.merged(segments) == [])
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
    func `damaged bytes are an error or other records, never a crash`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let segment = try SummarySegment.encoded((0..<6).map { _ in Self.record(&generator) })
        for _ in 0..<100 {
            var bytes = segment
            for _ in 0..<3 where !bytes.isEmpty {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            _ = try? SummarySegment.merged([bytes])
            try? report(segment: bytes)
        }
    }

    @Test func `counts that no topic can have are damage, and overflow nothing`() throws {
        let (first, third) = (Outcome(steps: 0b1, rank: 1), Outcome(steps: 0b101, rank: 2))
        for counts in [[Int64.max, 1], [.min, 1], [-1, 0], [.max, .max], [1 << 62, 1 - 1 << 62]] {
            let counts = [(first, counts[0]), (third, counts[1])]
            #expect(throws: DamagedSummary.self) { try report(counts) }
        }
        #expect(throws: DamagedSummary.self) { try report([(Outcome(steps: 0b100001, rank: 2), 1)]) }
    }

    @Test func `times that are not those of the counts are damage`() throws {
        let outcome = Outcome(steps: 0b101, rank: 2)
        for actors in [3, 2, 4, -3, .max, .min] as [Int64] {
            let record = SummaryRecord(gaps: DayGaps(), outcome, times: [5], count: actors)
            let segment = try SummarySegment.encoded([record])
            if actors == 3 {
                try report([(outcome, 3)], segment: segment)
            } else {
                #expect(throws: DamagedSummary.self) { try report([(outcome, 3)], segment: segment) }
            }
        }
        #expect(throws: DamagedSummary.self) { try report([(outcome, 3)]) }
    }

    private func report(_ counts: [(outcome: Outcome, actors: Int64)] = [], segment: [UInt8] = []) throws {
        let day = Day(number: 0)
        let funnel = try SummaryRecord.funnel()
        var tally = FunnelTally(funnel)
        for (outcome, actors) in counts { try tally.add(outcome, actors) }
        try segment.withUnsafeBytes { try tally.add($0, day: day, in: .all) }
        var figures = try FunnelFigures(tally, hasTimes: true)
        try segment.withUnsafeBytes { try figures.add($0, day: day, in: .all) }
        _ = try figures.results(for: funnel)
    }
}
