import FlowTestSupport
import FunnelStore
import FunnelStorePostgres
import FunnelStoreTestSupport
import Funnels
import FunnelPostgresTestSupport
import Synchronization
import Testing

@Suite(.waits, .needsPostgreSQL) struct RowCompactorTests {
    @Test func `compaction while consumers write the same rows loses nothing and never waits`() throws {
        let fixture = try PostgresFixture()
        let totals = CountedTotals()
        let failures = Mutex<[String]>([])
        onThreads(5) { index in
            do {
                let store = try fixture.open()
                defer { store.close() }
                guard index > 1 else { return try tidy(store, until: { totals.value.commits == 120 }) }
                var client = CountingClient(store, totals, seed: 7 &+ UInt64(index))
                try client.commit(times: 40)
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(totals.value.commits == 120)
        let store = try fixture.open()
        try expectTotals(totals.value, in: store, PostgresFunnelReader(url: fixture.url), isCompacted: true)
        #expect(try fixture.sql("SELECT sum(deadlocks) FROM pg_stat_database") == "0")
        // Without consumers it reaches every row.
        try tidy(store, until: { true })
        #expect(try Set(store.installs(CountingClient.installs).map(\.state)) == [StoreFixtures.bytes("less")])
    }

    /// Compacts all rows, again and again.
    private func tidy(_ store: PostgresFunnelStore, until isEnd: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(300)
        repeat {
            var last: [UInt8]?
            while true {
                let rows = try store.installs(after: last, limit: RowLimit(rowCount: 7, byteCount: 8 << 20))
                try store.compact(
                    rows.map {
                        InstallWrite(
                            install: $0.install,
                            expectedVersion: $0.version,
                            state: StoreFixtures.bytes("less")
                        )
                    }
                )
                last = rows.last?.install
                if rows.count < 7 { break }
            }
        } while !isEnd() && ContinuousClock.now < deadline
    }
}
