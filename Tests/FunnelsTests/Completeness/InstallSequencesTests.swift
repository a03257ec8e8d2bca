import FlowEventTestSupport
import FlowEvents
import Testing

@testable import Funnels

@Suite struct InstallSequencesTests {
    private func coded(_ sequences: InstallSequences) throws -> (InstallSequences, Int) {
        var bytes: [UInt8] = []
        sequences.encode(into: &bytes)
        var decoded = InstallSequences()
        try bytes.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            try decoded.decode(from: &reader)
            #expect(reader.isAtEnd)
        }
        return (decoded, bytes.count)
    }

    private func sequences(
        _ runs: [ClosedRange<Int64>],
        _ notices: [PendingSequences.Notice] = []
    ) -> InstallSequences {
        var sequences = InstallSequences()
        var runs = runs.map { SequenceRuns.Run(low: $0.lowerBound, high: $0.upperBound) }
        _ = sequences.add(&runs, notices)
        return sequences
    }

    @Test func `what is kept comes back the same, and takes few bytes`() throws {
        let last: Int64 = 9_007_199_254_740_991
        let notice = PendingSequences.Notice(sequence: 9, notice: DropNotice(cause: .expired, count: 3))
        let (none, noneSize) = try coded(InstallSequences())
        #expect(none == InstallSequences() && noneSize == 1)
        let whole = sequences([0...99])
        let (wholeAgain, wholeSize) = try coded(whole)
        #expect(wholeAgain == whole && wholeSize == 3)
        for runs in [[0...0, 2...2, 9...9], [last - 5...last - 5, last...last], [5...5]] {
            let sequences = sequences(runs, [notice])
            #expect(try coded(sequences).0 == sequences)
        }
        let unchecked = sequences([0...0, last...last])
        #expect(try coded(unchecked).0 == unchecked && unchecked.isUnchecked)
    }

    @Test func `a repeated notice counts once, and explains no more than is missing`() {
        let notice = PendingSequences.Notice(sequence: 9, notice: DropNotice(cause: .queueFull, count: 3))
        var sequences = sequences([5...5, 9...9], [notice, notice])
        #expect(sequences.reported == [.queueFull: 3])
        let dropped: DropCounts = [.queueFull: 3]
        #expect(sequences.completeness == Completeness(expected: 5, missing: 3, dropped: dropped))
        var late = [SequenceRuns.Run(low: 7, high: 7), SequenceRuns.Run(low: 9, high: 9)]
        let hasChanged = sequences.add(&late, [notice])
        #expect(hasChanged)
        let rest: DropCounts = [.queueFull: 2]
        #expect(sequences.completeness == Completeness(expected: 5, missing: 2, dropped: rest))
    }

    @Test func `numbers too far apart leave the install out, for good`() {
        let edge = InstallSequences.maximumSpan
        #expect(sequences([3...edge + 3]).completeness == Completeness(expected: edge + 1))
        var sequences = sequences([3...3, edge + 4...edge + 4])
        #expect(sequences.completeness == Completeness(unchecked: 1))
        var more = [SequenceRuns.Run(low: 5, high: 6)]
        let hasChanged = sequences.add(&more, [])
        #expect(!hasChanged && sequences.completeness == Completeness(unchecked: 1))
    }

    @Test func `a gap that is too wide is not counted as missing, and the install counts again when it is smaller`() {
        let limit = InstallSequences.maximumGap
        let widest = sequences([7...7, limit + 8...limit + 8])
        #expect(widest.completeness == Completeness(expected: limit + 2, missing: limit))
        var sequences = sequences([0...4, 6...6, 4_294_967_295...4_294_967_295])
        #expect(sequences.completeness == Completeness(unchecked: 1))
        var more = [SequenceRuns.Run(low: 7, high: 4_294_967_295 - limit - 1)]
        let hasChanged = sequences.add(&more, [])
        #expect(hasChanged && sequences.completeness == Completeness(expected: 4_294_967_296, missing: limit + 1))
    }

    @Test(arguments: Seeds.upTo(200))
    func `neither order nor merging decides which gaps are believed`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var runs: [SequenceRuns.Run] = []
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            let low = Int64.random(in: 0..<6_000_000, using: &generator)
            runs.append(SequenceRuns.Run(low: low, high: low + Int64.random(in: 0..<700_000, using: &generator)))
        }
        var (high, gaps): (Int64?, [Int64]) = (nil, [])
        for run in runs.sorted(by: { $0.low < $1.low }) {
            if let high, run.low > high + 1 { gaps.append(run.low - high - 1) }
            high = max(high ?? 0, run.high)
        }
        let low = runs.map(\.low).min() ?? 0
        let expected =
            gaps.contains { $0 > 1_000_000 }
            ? Completeness(unchecked: 1)
            : Completeness(expected: (high ?? 0) - low + 1, missing: gaps.reduce(0, +))
        var sequences = InstallSequences()
        var rest = runs.shuffled(using: &generator)[...]
        while !rest.isEmpty {
            var part = Array(rest.prefix(Int.random(in: 1...3, using: &generator)))
            rest = rest.dropFirst(part.count)
            _ = sequences.add(&part, [])
            sequences = try coded(sequences).0
        }
        #expect(sequences.completeness == expected, "seed \(seed)")
    }

    @Test func `more gaps than are kept leave the install out`() throws {
        let limit = Int64(InstallSequences.maximumRunCount)
        let kept = sequences((0..<limit).map { $0 * 2...$0 * 2 })
        #expect(kept.completeness == Completeness(expected: limit * 2 - 1, missing: limit - 1))
        let (again, size) = try coded(kept)
        #expect(again == kept && size <= 200_010)
        #expect(sequences((0...limit).map { $0 * 2...$0 * 2 }).completeness == Completeness(unchecked: 1))
    }
}
