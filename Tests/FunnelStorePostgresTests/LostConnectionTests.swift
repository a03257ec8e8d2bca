import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStorePostgres
import FunnelStoreTestSupport
import Funnels
import FunnelPostgresTestSupport
import Synchronization
import Testing

@Suite(.waits, .needsPostgreSQL) struct LostConnectionTests {
    @Test(arguments: CuttingProxy.Cut.all)
    func `a commit whose connection is cut is committed once`(cut: CuttingProxy.Cut) throws {
        let fixture = try PostgresFixture()
        let proxy = try CuttingProxy(upstream: fixture.server.directory)
        let store = try fixture.open(fixture.server.url(schema: fixture.schema, socket: proxy.directory))
        let totals = CountedTotals()
        var client = CountingClient(store, totals, seed: 3)
        for round in 1...10 {
            proxy.cutNext(cut)
            try client.commit(times: 1)
            #expect(proxy.cutCount == round)
            try expectTotals(totals.value, in: store, PostgresFunnelReader(url: fixture.url))
        }
        #expect(totals.value.commits == 10)
    }

    @Test func `a commit of no partition and no install is not added twice`() throws {
        let fixture = try PostgresFixture()
        let proxy = try CuttingProxy(upstream: fixture.server.directory)
        let store = try fixture.open(fixture.server.url(schema: fixture.schema, socket: proxy.directory))
        let key = StoreFixtures.key(0, nil, day: 1)
        let delta = SummaryDelta.numbered(key, [1: 1])
        // The commit moves no partition, so it cannot be fenced: only its own marker shows that it succeeded.
        for cut in CuttingProxy.Cut.all {
            proxy.cutNext(cut)
            #expect(try store.commit(StoreCommit(partitions: [], installs: [], summary: [delta])) == .committed)
        }
        #expect(proxy.cutCount == 3)
        let counts = try PostgresFunnelReader(url: fixture.url).withSnapshot {
            try $0.counts(funnel: 0, byValue: false)
        }
        #expect(counts == [key: [1: 3]])
    }

    @Test(arguments: CuttingProxy.Cut.all)
    func `new funnels whose transaction is cut are reported, and never counted as the old ones`(
        cut: CuttingProxy.Cut
    ) throws {
        let fixture = try PostgresFixture()
        let proxy = try CuttingProxy(upstream: fixture.server.directory)
        let url = fixture.server.url(schema: fixture.schema, socket: proxy.directory)
        let (store, other) = (try fixture.open(url), try fixture.open(url))
        let funnels = try [StoreFixtures.funnel("first", minutes: 45), StoreFixtures.funnel("second")]
        try PostgresFunnelRebuilder(url: fixture.url).rebuild {
            try $0.setFunnels(funnels, counted: ["first"], completeFrom: nil)
        }
        let rebuilt = RebuiltFunnels(identity: try StoreFixtures.identity(funnels: funnels), progress: [])
        let commit = StoreCommit(
            partitions: [StoreFixtures.advance(0, from: nil, to: 2)],
            installs: [],
            summary: []
        )
        // The first COMMIT of these calls ends the transaction that reads the new funnels.
        proxy.cutNext(cut)
        #expect(try store.commit(commit) == .rebuilt(rebuilt))
        proxy.cutNext(cut)
        #expect(try other.takeRebuiltFunnels() == rebuilt)
        #expect(proxy.cutCount == 2)
        #expect(try store.progress().isEmpty)
        #expect(try store.commit(commit) == .committed)
    }

    @Test func `a consumer that could not open the new funnels still knows only the old ones`() throws {
        let server = try PostgresServer()
        let fixture = try PostgresFixture(server)
        let proxy = try CuttingProxy(upstream: server.directory)
        let store = try fixture.open(
            server.url(schema: fixture.schema, socket: proxy.directory),
            patience: .milliseconds(1)
        )
        let identity = try StoreFixtures.identity(
            funnels: [StoreFixtures.funnel("first", minutes: 45), StoreFixtures.funnel("second")]
        )
        try PostgresFunnelRebuilder(url: fixture.url).rebuild {
            try $0.setFunnels(identity.funnels, counted: ["first"], completeFrom: nil)
        }
        proxy.cutNext(.before)
        #expect(throws: StoreError.self) { try store.open(identity) }
        let commit = StoreCommit(partitions: [], installs: [], summary: [])
        #expect(try store.commit(commit) == .rebuilt(RebuiltFunnels(identity: identity, progress: [])))
    }

    @Test func `consumers whose connections are ended and cut at random lose and repeat nothing`() throws {
        let fixture = try PostgresFixture()
        let proxy = try CuttingProxy(upstream: fixture.server.directory)
        let url =
            fixture.server.url(schema: fixture.schema, socket: proxy.directory)
            + "&application_name=\(fixture.schema)"
        let totals = CountedTotals()
        let failures = Mutex<[String]>([])
        let running = Mutex(3)
        let opened = Mutex(0)
        onThreads(4) { index in
            do {
                if index == 3 {
                    try waitUntil("all are open") { opened.withLock { $0 == 3 } }
                    var round = 0
                    while running.withLock({ $0 > 0 }) {
                        let before = totals.value.commits
                        proxy.cutNext(CuttingProxy.Cut.all[round % 3])
                        try fixture.sql(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE application_name = '\(fixture.schema)' ORDER BY random() LIMIT 2
                            """
                        )
                        round += 1
                        try waitUntil("commits go on") {
                            totals.value.commits >= before + 5 || running.withLock { $0 == 0 }
                        }
                    }
                } else {
                    defer { running.withLock { $0 -= 1 } }
                    let store = try fixture.open(url)
                    opened.withLock { $0 += 1 }
                    var client = CountingClient(store, totals, seed: UInt64(index))
                    try client.commit(times: 60)
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(totals.value.commits == 180)
        #expect(proxy.cutCount > 3)
        try expectTotals(totals.value, in: fixture.open(), PostgresFunnelReader(url: fixture.url))
    }

    @Test func `commits go on when the server was killed and started again`() throws {
        let server = try PostgresServer()
        let fixture = try PostgresFixture(server)
        let store = try fixture.open()
        let reader = try PostgresFunnelReader(url: fixture.url)
        let totals = CountedTotals()
        let failures = Mutex<[String]>([])
        let isDone = Mutex(false)
        onThreads(2) { index in
            do {
                if index == 0 {
                    var client = CountingClient(store, totals, seed: 5)
                    while !isDone.withLock({ $0 }) { try client.commit(times: 5) }
                } else {
                    defer { isDone.withLock { $0 = true } }
                    for _ in 0..<3 {
                        let before = totals.value.commits
                        try waitUntil("commits go on") { totals.value.commits >= before + 10 }
                        try server.stop()
                        try server.start()
                    }
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(totals.value.commits >= 30)
        // The reader's connection is lost, too.
        try expectTotals(totals.value, in: store, reader)
    }

    @Test func `a server that stays away makes the store unavailable, and the error names the server`() throws {
        let server = try PostgresServer()
        let fixture = try PostgresFixture(server)
        let store = try fixture.open(patience: .milliseconds(500))
        try server.stop()
        let error = #expect(throws: StoreError.self) {
            try store.commit(StoreCommit(partitions: [], installs: [], summary: []))
        }
        let text = error?.message ?? ""
        #expect(error?.code == .unavailable && text.contains(server.directory) && text.contains("cannot be reached"))
    }

    @Test func `an outage that lasts is told, and its end`() throws {
        let server = try PostgresServer()
        let fixture = try PostgresFixture(server)
        let outages = Mutex<[StoreOutage]>([])
        let store = try PostgresFunnelStore(url: fixture.url) { outage in outages.withLock { $0.append(outage) } }
        _ = try store.open(StoreFixtures.identity())
        try server.stop()
        let failures = Mutex<[String]>([])
        onThreads(2) { index in
            do {
                if index == 0 {
                    _ = try store.commit(StoreCommit(partitions: [], installs: [], summary: []))
                } else {
                    defer { try? server.start() }
                    try waitUntil("the outage is told") { outages.withLock { !$0.isEmpty } }
                    #expect(store.outage?.message.contains("cannot be reached") == true)
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(store.outage == nil)
        let told = outages.withLock { $0 }
        guard case .lasting(let error, let duration) = told.first, case .over(let whole) = told.last else {
            Issue.record("\(told)")
            return
        }
        #expect(error.code == .unavailable && error.message.contains("cannot be reached"))
        #expect(duration >= .seconds(2) && whole >= duration)
    }

    @Test func `a call that hung for longer than the patience has another attempt`() throws {
        let fixture = try PostgresFixture()
        // The first attempt fails when the patience is over. The table is locked until then.
        let store = try fixture.open(fixture.url + "%20-cstatement_timeout%3D1500", patience: .seconds(1))
        let failures = Mutex<[String]>([])
        onThreads(2) { index in
            do {
                if index == 0 {
                    try fixture.sql(
                        """
                        DO $$ DECLARE first text; BEGIN
                            LOCK TABLE flow_funnels_partitions;
                            LOOP
                                EXIT WHEN first IS NOT NULL AND NOT EXISTS (
                                    SELECT FROM pg_locks WHERE virtualtransaction = first AND NOT granted);
                                SELECT coalesce(first, min(virtualtransaction)) INTO first FROM pg_locks
                                WHERE relation = 'flow_funnels_partitions'::regclass AND NOT granted;
                                -- PostgreSQL does not tell who waits for a lock, so the loop looks again.
                                PERFORM pg_sleep(0.01);
                            END LOOP;
                        END $$
                        """
                    )
                } else {
                    try waitUntil("the table is locked") {
                        try fixture.sql(
                            """
                            SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted
                                AND relation = 'flow_funnels_partitions'::regclass
                            """
                        ) == "1"
                    }
                    let advance = StoreFixtures.advance(0, from: nil, to: 1)
                    _ = try store.commit(StoreCommit(partitions: [advance], installs: [], summary: []))
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
    }
}
