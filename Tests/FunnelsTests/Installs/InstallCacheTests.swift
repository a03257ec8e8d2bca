import FlowEventTestSupport
import Testing

@testable import Funnels

@Suite struct InstallCacheTests {
    private func row(_ number: Int, version: Int64 = 1, bytes: Int = 100) -> StoredInstall {
        StoredInstall(
            install: install(number),
            version: version,
            state: Array(repeating: 7, count: bytes)
        )
    }

    /// Every second install is a UUID.
    private func install(_ number: Int) -> [UInt8] {
        guard number.isMultiple(of: 2) else { return Array("install-\(number)".utf8) }
        return EventID(high: 7, low: UInt64(number)).textInPlace
    }

    private func table(_ number: Int) -> (installs: InstallTable, entry: InstallTable.Entry) {
        var installs = InstallTable()
        let index = install(number).withUnsafeBytes { installs.index(of: $0) }
        return (installs, installs[index])
    }

    private func put(_ row: StoredInstall, _ number: Int, in cache: inout InstallCache) {
        cache.put(row, of: table(number).entry)
    }

    private func find(_ number: Int, in cache: InstallCache) -> StoredInstall? {
        let (installs, entry) = table(number)
        return cache.row(of: entry, in: installs)
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
            put(row, number, in: &cache)
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
        // Rows as long as real ones. Beside shorter ones, the table that grows takes the place of all rows at once.
        var cache = InstallCache(byteLimit: 200_000)
        for number in 0..<1000 {
            put(row(-1, version: Int64(number), bytes: 2000), -1, in: &cache)
            put(row(number, bytes: 2000), number, in: &cache)
        }
        #expect(find(-1, in: cache)?.version == 999)
        #expect(find(0, in: cache) == nil && find(999, in: cache) != nil)
    }
}
