@testable import FunnelStorePostgres
import FunnelStoreTestSupport
import Funnels
import Testing

@Suite struct InstallChunksTests {
    private func chunks(_ sizes: [Int]) -> [[Int]] {
        let writes = sizes.map { InstallWrite(install: [1], expectedVersion: 0, state: Array(repeating: 0, count: $0)) }
        return InstallChunks(writes, indices: Array(writes.indices)).map(Array.init)
    }

    @Test func `all rows come once and in order`() {
        #expect(chunks([]).isEmpty)
        let many = chunks(Array(repeating: 1, count: InstallChunks.maximumRows * 2 + 1))
        #expect(many.map(\.count) == [InstallChunks.maximumRows, InstallChunks.maximumRows, 1])
        #expect(many.flatMap(\.self) == Array(0...(InstallChunks.maximumRows * 2)))
    }

    @Test func `a row above the limit has a chunk of its own, and no other chunk exceeds the limit`() {
        let half = InstallChunks.maximumBytes / 2
        #expect(chunks([half, half - 10, 100, InstallChunks.maximumBytes * 2, 1]) == [[0, 1], [2], [3], [4]])
    }
}
