import FlowEventTestSupport
import Testing

@testable import Funnels

@Suite struct InstallCacheTests {
    private func row(_ number: Int, version: Int64 = 1, bytes: Int = 100) -> StoredInstall {
        StoredInstall(
            install: Array("install-\(number)".utf8),
            version: version,
            state: Array(repeating: 7, count: bytes)
        )
    }

    private func hash(_ row: StoredInstall) -> Int { row.install.withUnsafeBytes(InstallTable.hash) }

    private func find(_ number: Int, in cache: InstallCache) -> StoredInstall? {
        let install = row(number).install
        return install.withUnsafeBytes { cache.row(of: $0, hash: InstallTable.hash($0)) }
    }

    @Test(arguments: [0, 1000, 5000, 60_000, .max] as [Int], [1, 2] as [UInt64])
    func `it has the last row of each install or none, and keeps to its bound`(limit: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var cache = InstallCache(byteLimit: limit)
        var model: [Int: StoredInstall] = [:]
        var versions: Int64 = 0
        for _ in 0..<3000 {
            let number = Int(generator.next() % 300)
            versions += 1
            let row = row(number, version: versions, bytes: Int(generator.next() % 300))
            cache.put(row, hash: hash(row))
            model[number] = row
            let other = Int(generator.next() % 310)
            if let found = find(other, in: cache) { #expect(found == model[other], "seed \(seed)") }
        }
        // The cache may exceed its limit by one row.
        #expect(cache.byteCount <= (limit == .max ? limit : limit + 1000))
        #expect(cache.hasEvicted == (limit < 60_000 || cache.count < model.count))
        let live = (0..<300).count { find($0, in: cache) != nil }
        #expect(live == cache.count)
        if limit == .max { #expect(live == model.count && !cache.hasEvicted) }
    }

    @Test func `what comes often stays, what came once goes`() {
        var cache = InstallCache(byteLimit: 20_000)
        for number in 0..<1000 {
            for row in [row(-1, version: Int64(number)), row(number)] { cache.put(row, hash: hash(row)) }
        }
        #expect(find(-1, in: cache)?.version == 999)
        #expect(find(0, in: cache) == nil && find(999, in: cache) != nil)
    }
}
