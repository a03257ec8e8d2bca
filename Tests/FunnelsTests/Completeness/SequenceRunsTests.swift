import FlowEventTestSupport
import Testing

@testable import Funnels

@Suite struct SequenceRunsTests {
    typealias Run = SequenceRuns.Run

    @Test(arguments: Seeds.upTo(200))
    func `unions give what a set of numbers gives, whatever comes when`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var runs = SequenceRuns()
        var numbers: Set<Int64> = []
        for _ in 0..<30 {
            var added: [Run] = []
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let low = Int64.random(in: 0..<120, using: &generator)
                added.append(Run(low: low, high: low + Int64.random(in: 0..<6, using: &generator)))
            }
            added.sort { $0.low < $1.low }
            let before = numbers
            for run in added { numbers.formUnion(run.low...run.high) }
            let hasChanged = runs.formUnion(added)
            #expect(hasChanged == (numbers != before), "seed \(seed)")
            let (low, high) = (numbers.min() ?? 0, numbers.max() ?? 0)
            #expect(runs.expected == high - low + 1, "seed \(seed)")
            #expect(runs.missing == high - low + 1 - Int64(numbers.count), "seed \(seed)")
            let ordered = numbers.sorted()
            let widest = zip(ordered, ordered.dropFirst()).map { $1 - $0 - 1 }.max() ?? 0
            for limit in 0..<20 as Range<Int64> {
                #expect(runs.hasGap(above: limit) == (widest > limit), "seed \(seed)")
            }
            for number in -1...130 as ClosedRange<Int64> {
                #expect(runs.contains(number) == numbers.contains(number), "seed \(seed)")
            }
            // There are no more runs than needed: each but the first begins after a gap.
            #expect(zip(runs.runs, runs.runs.dropFirst()).allSatisfy { $0.high + 1 < $1.low }, "seed \(seed)")
        }
    }

    @Test func `numbers that all follow each other are one run, and none are none`() {
        var runs = SequenceRuns()
        #expect(runs.expected == 0 && runs.missing == 0 && !runs.contains(0))
        for number in 7..<1000 as Range<Int64> {
            let hasChanged = runs.formUnion([Run(low: number, high: number)])
            #expect(hasChanged)
        }
        #expect(runs.runs == [Run(low: 7, high: 999)])
    }
}
