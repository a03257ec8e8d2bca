@testable import FunnelStorePostgres
import FunnelStoreTestSupport
import Funnels
import Testing

@Suite struct StatementBatchesTests {
    private func batches(_ sizes: [Int]) -> [[Int]] {
        let writes = sizes.map { InstallWrite(install: [1], expectedVersion: 0, state: Array(repeating: 0, count: $0)) }
        return StatementBatches(writes, indices: Array(writes.indices)).map(Array.init)
    }

    @Test func `all rows come once and in order`() {
        #expect(batches([]).isEmpty)
        let many = batches(Array(repeating: 1, count: StatementBatches.maximumRows * 2 + 1))
        #expect(many.map(\.count) == [StatementBatches.maximumRows, StatementBatches.maximumRows, 1])
        #expect(many.flatMap(\.self) == Array(0...(StatementBatches.maximumRows * 2)))
    }

    @Test func `a row above the limit has a batch of its own, and no other batch exceeds the limit`() {
        let half = StatementBatches.maximumBytes / 2
        #expect(batches([half, half - 10, 100, StatementBatches.maximumBytes * 2, 1]) == [[0, 1], [2], [3], [4]])
    }

    @Test func `segments are divided by their values and bytes`() {
        let quarter = [UInt8](repeating: 0, count: StatementBatches.maximumBytes / 4)
        let deltas = (0..<5 as Range<Int32>).map { number in
            SummaryDelta(key: SummaryKey(funnel: 0, value: quarter, day: Day(number: number)), segment: quarter)
        }
        #expect(StatementBatches(deltas).map(Array.init) == [[0, 1], [2, 3], [4]])
    }
}
