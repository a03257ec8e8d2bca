import Foundation
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import GRDB
import Testing

@testable import FunnelStoreSQLite

/// Stores that were written by older versions of the program.
@Suite struct StoreMigrationTests {
    typealias Fixtures = StoreFixtures

    private let directory: TemporaryDirectory
    private var path: String { directory.file("funnels.sqlite") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Creates the tables of an older version, with its data.
    private func makeStore(version: Int) throws {
        let database = try DatabaseQueue(path: path)
        try database.write { database in
            for step in SQLiteSchema.steps.prefix(version) { try database.execute(sql: step) }
            try database.execute(sql: "PRAGMA application_id = \(SQLiteSchema.applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(version)")
            try database.execute(
                sql: "INSERT INTO identity(id, cluster_id, topic) VALUES (1, 'cluster-1', 'app-events')"
            )
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
        #expect(try store.open(Fixtures.identity()) == [OldStore.standing])
        #expect(try store.installs([OldStore.row.install]) == [OldStore.row])
        #expect(try store.commit(OldStore.commit) == .committed)
        #expect(try store.progress().map(\.quality) == [OldStore.quality])
        try store.close()

        let reader = try SQLiteFunnelReader(path: path)
        #expect(try reader.withSnapshot { try $0.quality() } == OldStore.quality)
        #expect(try reader.withAudit { try $0.hasAllSequences() } == false)
    }

    @Test func `a new store has all sequences`() throws {
        let store = try SQLiteFunnelStore(path: path)
        _ = try store.open(Fixtures.identity())
        #expect(try SQLiteFunnelReader(path: path).withAudit { try $0.hasAllSequences() })
        try store.close()
    }

    @Test func `a store from before columns reports the same times after it was opened`() throws {
        try makeStore(version: 4)
        let database = try DatabaseQueue(path: path)
        try database.write { database in
            for (day, segment) in OldStore.segments {
                try database.execute(
                    sql: "INSERT INTO segments(funnel, by_value, day, value, body) VALUES (0, 0, ?, x'', ?)",
                    arguments: [day, Data(segment)]
                )
            }
        }
        try database.close()

        try SQLiteFunnelStore(path: path).close()
        let reader = try SQLiteFunnelReader(path: path)
        #expect(try reader.withSnapshot { try OldStore.figures(in: $0) } == OldStore.figures)
    }

    @Test func `a segment that cannot be converted leaves an older store as it was`() throws {
        try makeStore(version: 4)
        let database = try DatabaseQueue(path: path)
        try database.write { database in
            try database.execute(
                sql: "INSERT INTO segments(funnel, by_value, day, value, body) VALUES (0, 0, 1, x'', x'000002')"
            )
        }
        let error = #expect(throws: StoreError.self) { try SQLiteFunnelStore(path: path) }
        #expect(error?.description.contains("damaged") == true)
        #expect(try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 4)
        try database.close()
    }
}
