import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct BreakdownSelectionTests {
    @Test(arguments: Seeds.upTo(200))
    func `a report shows the values with the most actors, as the brute force does`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        let count: Counting = random.generator.pick([.installs, .sessions])
        let steps = [Step(name: "view", event: "screen_view"), Step(name: "purchase", event: "purchase")]
        let funnel = try Funnel(
            name: "f",
            count: count,
            window: .seconds(3600),
            breakdown: "paywall_source",
            steps: steps
        )
        var events = random.events(count: 80, installs: 12)
        for index in events.indices {
            let number = random.generator.next() % 25
            events[index].paywallSource = number == 0 ? nil : number == 1 ? "" : number == 2 ? "é" : "v\(number)"
        }
        var store = try CountedTopic(funnels: [funnel])
        for event in events {
            try store.insert(event)
            if random.generator.chance(20) { try store.commit() }
        }
        try store.commit()
        let oracle = FunnelOracle(funnels: [funnel], records: events.map { FunnelOracle.Record($0) })
        let days: [Day?] = [nil] + ["2026-02-28", "2026-03-01", "2026-03-02", "2026-03-03"].map { Day($0) }
        for valueCount in [1, 2, 5, 20, 40] {
            let (from, to) = random.days(among: days)
            let limits = BreakdownLimits(valueCount: valueCount, countBytes: random.generator.pick([1, 500, 1 << 20]))
            let found = try FunnelReport.figures(from: store, funnels: [funnel], from: from, to: to, limits: limits)
            let expected = oracle.report(from: from, to: to, valueLimit: valueCount)
            #expect(found == expected, "seed \(seed), \(limits)")
        }
    }

    @Test(arguments: Seeds.upTo(100))
    func `more values than memory need more passes and give the same`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var segments: [(value: [UInt8], actors: Int64)] = []
        for _ in 0..<400 {
            let value = Array("value-\(generator.next() % 120)".utf8)
            segments.append((value, Int64(generator.next() % 7) - 2))
        }
        let sums = Dictionary(segments.map { ($0.value, $0.actors) }, uniquingKeysWith: +).filter { $0.value > 0 }
        let ranked = sums.sorted { lhs, rhs in
            lhs.value == rhs.value ? lhs.key.lexicographicallyPrecedes(rhs.key) : lhs.value > rhs.value
        }
        for countBytes in [1000, 5000, 1 << 20] {
            let valueCount = Int(generator.next() % 50)
            var selection = BreakdownSelection(BreakdownLimits(valueCount: valueCount, countBytes: countBytes))
            var passes = 0
            while !selection.isComplete {
                for segment in segments.shuffled(using: &generator) {
                    selection.add(segment.actors, of: segment.value)
                    #expect(selection.countBytes <= countBytes)
                }
                selection.endPass()
                passes += 1
            }
            #expect(selection.values == Set(ranked.prefix(valueCount).map(\.key)), "seed \(seed)")
            #expect(selection.leftOutCount == max(0, ranked.count - valueCount), "seed \(seed)")
            #expect((passes == 1) == (countBytes == 1 << 20))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `300,000 values are counted in few passes, and 1,000 are shown`() throws {
        let source = ManyValues(count: 300_000)
        let steps = [Step(name: "a", event: "a"), Step(name: "b", event: "b")]
        let funnel = try Funnel(name: "f", window: .seconds(60), breakdown: "paywall_source", steps: steps)
        let result = try FunnelReport.figures(from: source, funnels: [funnel]).funnels[0]
        let shown = try #require(result.breakdown)
        #expect(shown.count == 1000 && result.valuesLeftOut == 299_000)
        // Every 300th value has one more actor.
        let expected = stride(from: 0, to: 300_000, by: 300).map { ManyValues.value($0) }
        #expect(shown.map { Array($0.value.description.utf8) } == expected.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(shown.allSatisfy { $0.steps.map(\.count) == [2, 1] && $0.steps[1].medianFromFirst == 7 })
        // One to see that there are too many, one to count, two for the figures.
        #expect(source.passes == 3)
    }
}

/// A summary with many breakdown values on one day.
private final class ManyValues: PartialSummary {
    private let count: Int
    private(set) var passes = 0

    init(count: Int) {
        self.count = count
    }

    static func value(_ number: Int) -> [UInt8] { Array("campaign-\(number)".utf8) }

    func forEachCount(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: ([UInt8]?, Outcome, Int64) throws -> Void
    ) throws {
        guard byValue else { return }
        passes += 1
        for number in 0..<count {
            try body(Self.value(number), Outcome(steps: 0b11, rank: 2), 1)
            if number % 300 == 0 { try body(Self.value(number), Outcome(steps: 0b1, rank: 1), 1) }
        }
    }

    func entryDays(funnel: Int, in days: DayRange) -> ClosedRange<Day>? { Day(number: 0)...Day(number: 0) }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: ([UInt8]?, Day, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard byValue else { return }
        let record = SummaryRecord(gaps: DayGaps(), Outcome(steps: 0b11, rank: 2), times: [7], count: 1)
        let segment = try SummarySegment.encoded([record])
        for number in 0..<count {
            try segment.withUnsafeBytes { try body(Self.value(number), Day(number: 0), $0) }
        }
    }
}
