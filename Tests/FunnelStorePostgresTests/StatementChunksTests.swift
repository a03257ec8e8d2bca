@testable import FunnelStorePostgres
import FunnelStoreTestSupport
import Funnels
import Testing

@Suite struct StatementChunksTests {
    private func chunks(_ sizes: [Int]) -> [[Int]] {
        let writes = sizes.map { InstallWrite(install: [1], expectedVersion: 0, state: Array(repeating: 0, count: $0)) }
        return StatementChunks(writes, indices: Array(writes.indices)).map(Array.init)
    }

    @Test func `all rows come once and in order`() {
        #expect(chunks([]).isEmpty)
        let many = chunks(Array(repeating: 1, count: StatementChunks.maximumRows * 2 + 1))
        #expect(many.map(\.count) == [StatementChunks.maximumRows, StatementChunks.maximumRows, 1])
        #expect(many.flatMap(\.self) == Array(0...(StatementChunks.maximumRows * 2)))
    }

    @Test func `a row above the limit has a chunk of its own, and no other chunk exceeds the limit`() {
        let half = StatementChunks.maximumBytes / 2
        #expect(chunks([half, half - 10, 100, StatementChunks.maximumBytes * 2, 1]) == [[0, 1], [2], [3], [4]])
    }

    @Test func `segments are divided by their values and bytes`() {
        let quarter = [UInt8](repeating: 0, count: StatementChunks.maximumBytes / 4)
        let deltas = (0..<5 as Range<Int32>).map { number in
            SummaryDelta(key: SummaryKey(funnel: 0, value: quarter, day: Day(number: number)), segment: quarter)
        }
        #expect(StatementChunks(deltas).map(Array.init) == [[0, 1], [2, 3], [4]])
    }
}
