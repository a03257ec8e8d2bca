import FunnelStore
import FunnelStoreTestSupport
import Funnels
import GRDB
import Testing

@testable import FunnelStoreSQLite

/// Stores as older versions of the program have left them.
@Suite struct StoreMigrationTests {
    typealias Fixtures = StoreFixtures

    private let directory: TemporaryDirectory
    private var path: String { directory.file("funnels.sqlite") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Makes the tables of an older version, and puts into them what it would have.
    private func makeStore(version: Int) throws {
        let database = try DatabaseQueue(path: path)
        try database.write { database in
            for step in StoreSchema.steps.prefix(version) { try database.execute(sql: step) }
            try database.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(version)")
            try database.execute(sql: "INSERT INTO identity VALUES (1, 'cluster-1', 'app-events')")
            for (position, funnel) in try Fixtures.identity().funnels.enumerated() {
                try database.execute(
                    sql: "INSERT INTO funnels(position, name, definition) VALUES (?, ?, ?)",
                    arguments: [position, funnel.name, FunnelDefinitions.encode([funnel])]
                )
            }
            try database.execute(sql: "INSERT INTO installs(install, version, state) VALUES (x'61', 4, x'62')")
            try database.execute(
                sql: """
                    INSERT INTO partitions(partition, next_offset, watermark, events, duplicates, late, dead_letters)
                    VALUES (2, 9, 5, 8, 3, 2, 1)
                    """
            )
        }
        try database.close()
    }

    @Test func `a store from before sequences were kept goes on, and says that it has not all of them`() throws {
        try makeStore(version: 1)
        let reading = #expect(throws: StoreError.self) { try SQLiteFunnelReader(path: path) }
        #expect(reading?.description.contains("start funnel-consumer once") == true)

        let store = try SQLiteFunnelStore(path: path)
        let quality = Quality(events: 8, duplicates: 3, late: 2, deadLetters: 1)
        let watermark = Fixtures.advance(0, from: nil, to: 0, watermark: 5).watermark
        let standing = PartitionProgress(partition: 2, nextOffset: 9, watermark: watermark, quality: quality)
        #expect(try store.open(Fixtures.identity()) == [standing])
        #expect(try store.installs([Fixtures.bytes("a")]) == [Fixtures.row("a", 4, "b")])
        let added = Quality(events: 2, completeness: Completeness(expected: 3, missing: 1), unread: 4)
        let commit = StoreCommit(
            partitions: [Fixtures.advance(2, from: 9, to: 15, watermark: 5, quality: added)],
            installs: [Fixtures.write("a", after: 4, "c")],
            summary: []
        )
        #expect(try store.commit(commit) == .committed)
        #expect(try store.progress().map(\.quality) == [quality + added])
        try store.close()

        let reader = try SQLiteFunnelReader(path: path)
        #expect(try reader.withSnapshot { try $0.quality() } == quality + added)
        #expect(try reader.withAudit { try $0.hasAllSequences() } == false)
    }

    @Test func `a new store has all sequences`() throws {
        let store = try SQLiteFunnelStore(path: path)
        _ = try store.open(Fixtures.identity())
        #expect(try SQLiteFunnelReader(path: path).withAudit { try $0.hasAllSequences() })
        try store.close()
    }
}
