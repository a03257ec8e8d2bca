import FlowTestSupport
import FunnelStore
import FunnelStorePostgres
import FunnelStoreTestSupport
import Funnels
import FunnelPostgresTestSupport
import Synchronization
import Testing

@Suite(.waits, .needsPostgreSQL) struct ManyConsumersTests {
    @Test(arguments: [1, 2] as [UInt64])
    func `consumers that change the same rows at once lose and repeat nothing`(seed: UInt64) throws {
        let fixture = try PostgresFixture()
        let totals = CountedTotals()
        let failures = Mutex<[String]>([])
        let segments = Mutex(0)
        onThreads(6) { index in
            do {
                let store = try fixture.open()
                var client = CountingClient(store, totals, seed: seed &* 100 &+ UInt64(index))
                try client.commit(times: 60)
                let count =
                    Int(
                        try fixture.sql(
                            "SELECT max(n) FROM (SELECT count(*) AS n FROM flow_funnels_segments "
                                + "GROUP BY funnel, by_value, day, value) AS s"
                        )
                    ) ?? 0
                segments.withLock { $0 = max($0, count) }
                store.close()
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [], "seed \(seed)")
        #expect(totals.value.commits == 360, "seed \(seed)")
        let store = try fixture.open()
        try expectTotals(totals.value, in: store, PostgresFunnelReader(url: fixture.url))
        #expect(segments.withLock { $0 } <= 40, "seed \(seed): folding keeps up")
        #expect(try fixture.sql("SELECT sum(deadlocks) FROM pg_stat_database") == "0")
    }

    @Test func `consumers that commit while the funnels change again and again lose and repeat nothing`() throws {
        let fixture = try PostgresFixture()
        let stores = try (0..<3).map { _ in try fixture.open() }
        let totals = CountedTotals()
        let failures = Mutex<[String]>([])
        let changes = Mutex(0)
        onThreads(4) { index in
            do {
                if index == 0 {
                    let rebuilder = try PostgresFunnelRebuilder(url: fixture.url)
                    for minutes in 1...20 {
                        let funnels = try [
                            StoreFixtures.funnel("first", minutes: minutes), StoreFixtures.funnel("second"),
                        ]
                        try rebuilder.rebuild { store in
                            // No other client writes while one rebuilds the funnels.
                            let (progress, rows) = (
                                try store.progress(),
                                try store.rows(after: nil, limit: RowLimit(rowCount: 1000, byteCount: 8 << 20))
                            )
                            try store.setFunnels(funnels, counted: ["first"], completeFrom: nil)
                            guard try store.progress() == progress,
                                try store.rows(after: nil, limit: RowLimit(rowCount: 1000, byteCount: 8 << 20)) == rows
                            else {
                                throw PostgresServerFailure("the store changed under the rebuild")
                            }
                        }
                        changes.withLock { $0 += 1 }
                    }
                    return
                }
                var client = CountingClient(stores[index - 1], totals, seed: 700 + UInt64(index))
                try client.commit(times: 60)
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(changes.withLock { $0 } == 20 && totals.value.commits == 180)
        try expectTotals(totals.value, in: stores[0], PostgresFunnelReader(url: fixture.url))
        #expect(try fixture.sql("SELECT generation FROM flow_funnels_identity") == "20")
        #expect(try fixture.sql("SELECT sum(deadlocks) FROM pg_stat_database") == "0")
    }

    @Test func `consumers that start at once create one store`() throws {
        let fixture = try PostgresFixture()
        let failures = Mutex<[String]>([])
        onThreads(6) { _ in
            do {
                try fixture.open().close()
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(try fixture.sql("SELECT count(*) FROM flow_funnels_identity") == "1")
        #expect(try PostgresFunnelReader(url: fixture.url).funnels == StoreFixtures.identity().funnels)
    }

    @Test func `a consumer whose partition has moved is fenced, and its successor's counts stay`() throws {
        let fixture = try PostgresFixture()
        let (paused, successor) = (try fixture.open(), try fixture.open())
        let advance = StoreFixtures.advance(0, from: nil, to: 5, quality: Quality(events: 5))
        let commit = StoreCommit(partitions: [advance], installs: [], summary: [])
        #expect(try successor.commit(commit) == .committed)
        guard case .fenced(let progress) = try paused.commit(commit) else {
            throw PostgresServerFailure("it was not fenced")
        }
        #expect(progress == [PartitionProgress(partition: 0, nextOffset: 5, quality: Quality(events: 5))])
    }

    @Test func `a consumer that hangs in its transaction blocks others only as long as the server allows`()
        throws
    {
        let fixture = try PostgresFixture()
        let proxy = try CuttingProxy(upstream: fixture.server.directory)
        let stopped = try fixture.open(
            fixture.server.url(schema: fixture.schema, socket: proxy.directory)
                + "%20-cidle_in_transaction_session_timeout%3D2s"
        )
        let successor = try fixture.open()
        let advance = StoreFixtures.advance(0, from: nil, to: 5, quality: Quality(events: 5))
        let commit = StoreCommit(
            partitions: [advance],
            installs: [StoreFixtures.write("a", after: 0, "x")],
            summary: []
        )
        let outcomes = Mutex<[Int: CommitOutcome]>([:])
        proxy.cutNext(.hold)
        onThreads(2) { index in
            do {
                if index == 1 {
                    try waitUntil("the first holds its rows") { proxy.cutCount == 1 }
                    defer { proxy.release() }
                    let outcome = try successor.commit(commit)
                    outcomes.withLock { $0[1] = outcome }
                } else {
                    let outcome = try stopped.commit(commit)
                    outcomes.withLock { $0[0] = outcome }
                }
            } catch {
                Issue.record(error)
            }
        }
        let standing = PartitionProgress(partition: 0, nextOffset: 5, quality: Quality(events: 5))
        #expect(outcomes.withLock { $0 } == [0: .fenced([standing]), 1: .committed])
    }
}
