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
        #expect(sequences.reported == DropCounts(queueFull: 3))
        let dropped = DropCounts(queueFull: 3)
        #expect(sequences.completeness == Completeness(expected: 5, missing: 3, dropped: dropped))
        var late = [SequenceRuns.Run(low: 7, high: 7), SequenceRuns.Run(low: 9, high: 9)]
        let hasChanged = sequences.add(&late, [notice])
        #expect(hasChanged)
        let rest = DropCounts(queueFull: 2)
        #expect(sequences.completeness == Completeness(expected: 5, missing: 2, dropped: rest))
    }

    @Test func `numbers too far apart leave the install out, for good`() {
        let edge = InstallSequences.maximumSpan
        #expect(sequences([3...3, edge + 3...edge + 3]).completeness.expected == edge + 1)
        var sequences = sequences([3...3, edge + 4...edge + 4])
        #expect(sequences.completeness == Completeness(unchecked: 1))
        var more = [SequenceRuns.Run(low: 5, high: 6)]
        let hasChanged = sequences.add(&more, [])
        #expect(!hasChanged && sequences.completeness == Completeness(unchecked: 1))
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
