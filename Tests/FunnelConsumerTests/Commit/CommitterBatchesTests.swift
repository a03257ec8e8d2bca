import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import FunnelStoreSQLite
import Funnels
import PrometheusMetrics
import Testing

@testable import FunnelConsumer

/// Intervals of many installs, which an SQLite store takes in batches.
@Suite struct CommitterBatchesTests {
    private let directory: TemporaryDirectory
    private let funnels: [Funnel]
    private let registry = PrometheusRegistry(help: FunnelConsumerMetrics.help)

    init() throws {
        directory = try TemporaryDirectory()
        funnels = try homeToPaywall()
    }

    /// A committer with the intake of its events.
    private struct Client {
        var committer: Committer
        var intake: RecordIntake
        private var offset: Int64 = 0

        init(_ committer: Committer, _ funnels: [Funnel]) {
            self.committer = committer
            intake = RecordIntake(funnels: funnels, allowedLateness: 86_400_000)
            intake.assign(0, stored: nil)
        }

        mutating func commit(_ events: [Event]) throws {
            for event in events {
                try event.encoded().withUnsafeBytes {
                    _ = intake.take($0, timestamp: nil, partition: 0, offset: offset)
                }
                offset += 1
            }
            #expect(try committer.commit(intake.takeInterval(), intake.takeAdvances()) == nil)
        }
    }

    private func client(
        _ store: any FunnelStore,
        cacheBytes: Int = .max,
        installsAtOnce: Int
    ) throws -> Client {
        _ = try store.open(StoreIdentity(clusterID: "c", topic: "t", funnels: funnels))
        let committer = Committer(
            store: store,
            funnels: funnels,
            bounds: FunnelBounds(cacheBytes: cacheBytes),
            partitionCount: 1,
            isNew: true,
            metrics: ConsumerMetricsRecorder(factory: registry),
            installsAtOnce: installsAtOnce
        )
        return Client(committer, funnels)
    }

    private func report() throws -> FunnelReport {
        try SQLiteFunnelReader(path: directory.file("f.sqlite")).report()
    }

    private func events(_ count: Int, installs: UInt64, _ generator: inout SeededGenerator) -> [Event] {
        (0..<count).map { _ in
            screenView(
                generator.next() % 2 == 0 ? "home" : "paywall",
                "install-\(generator.next() % installs)",
                second: Int64(generator.next() % 400_000),
                // Some events are repeats.
                id: "event-\(generator.next() % 5000)"
            )
        }
    }

    @Test(arguments: [0, 20_000, .max] as [Int], [1, 5, 64])
    func `intervals in batches are counted as whole ones`(cacheBytes: Int, installsAtOnce: Int) throws {
        let seed = UInt64(cacheBytes % 1000 + installsAtOnce)
        var generator = SeededGenerator(seed: seed)
        let (sqlite, memory) = (try SQLiteFunnelStore(path: directory.file("f.sqlite")), TemporaryStore())
        var batches = try client(sqlite, cacheBytes: cacheBytes, installsAtOnce: installsAtOnce)
        var whole = try client(memory, installsAtOnce: .max)
        for _ in 0..<12 {
            let events = events(1 + Int(generator.next() % 200), installs: 100, &generator)
            try batches.commit(events)
            try whole.commit(events)
        }
        #expect(try sqlite.progress() == memory.progress(), "seed \(seed)")
        let rows = Set(try memory.installs(after: nil, limit: RowLimit(rowCount: 1000, byteCount: 8 << 20)))
        #expect(rows.count > 50)
        #expect(
            Set(try sqlite.installs(after: nil, limit: RowLimit(rowCount: 1000, byteCount: 8 << 20))) == rows,
            "seed \(seed)"
        )
        #expect(try report() == memory.report(), "seed \(seed)")
    }

    @Test func `large batches are counted by several threads`() throws {
        let store = try SQLiteFunnelStore(path: directory.file("f.sqlite"))
        var client = try client(store, installsAtOnce: 4000)
        try client.commit((0..<10_000).map { screenView("home", "install-\($0)", second: 0) })
        try client.commit((0..<10_000).map { screenView("paywall", "install-\($0)", second: 60) })
        let report = try report()
        #expect(report.funnels[0].steps.map(\.count) == [10_000, 10_000])
        #expect(report.quality == Quality(events: 20_000))
    }

    @Test func `a row that somebody else has written meanwhile is read again`() throws {
        let store = try SQLiteFunnelStore(path: directory.file("f.sqlite"))
        var client = try client(store, installsAtOnce: 2)
        let installs = ["a", "b", "c", "d", "e"]
        try client.commit(installs.map { screenView("home", $0, second: 0) })
        // The same state in a new version.
        for row in try store.installs([Array("d".utf8)], history: .all) {
            let write = InstallWrite(install: row.install, expectedVersion: row.version, state: row.state)
            #expect(try store.commit(StoreCommit(partitions: [], installs: [write], summary: [])) == .committed)
        }
        try client.commit(installs.map { screenView("paywall", $0, second: 60) })
        let report = try report()
        #expect(report.funnels[0].steps.map(\.count) == [5, 5])
        #expect(report.quality == Quality(events: 10))
        #expect(registry.page().contains("funnel_consumer_commits_total{outcome=\"conflict\"} 1\n"))
        // The cache begins anew, and is right again.
        try client.commit(installs.map { screenView("paywall", $0, second: 61) })
        #expect(registry.page().contains("funnel_consumer_commits_total{outcome=\"committed\"} 3\n"))
    }

    @Test func `a row that cannot be read ends the consumer with the name of the install`() throws {
        let store = try SQLiteFunnelStore(path: directory.file("f.sqlite"))
        var client = try client(store, installsAtOnce: 1)
        let damaged = InstallWrite(install: Array("b".utf8), expectedVersion: 0, state: [9, 9, 9])
        #expect(try store.commit(StoreCommit(partitions: [], installs: [damaged], summary: [])) == .committed)
        client.committer = Committer(store: store, funnels: funnels, isNew: false, installsAtOnce: 1)
        let error = #expect(throws: StoreError.self) {
            try client.commit(["a", "b", "c"].map { screenView("home", $0, second: 0) })
        }
        #expect(error?.message.contains("'b'") == true)
        #expect(try store.installs([Array("a".utf8)], history: .all).isEmpty)
    }
}
