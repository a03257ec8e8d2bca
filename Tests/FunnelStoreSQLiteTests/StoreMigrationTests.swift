import FlowTestSupport
import Foundation
import FlowEvents
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
        #expect(reading?.code == .older && reading?.description.contains("(store version 1, ") == true)

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

    /// Adds the segments of ``OldStore`` in the coding of the version.
    private func addSegments(version: Int) throws {
        let database = try DatabaseQueue(path: path)
        try database.write { database in
            for (day, segment) in OldStore.segments {
                let bytes = version < 5 ? segment : try SummarySegment.converted(fromRecords: segment)
                try database.execute(
                    sql: "INSERT INTO segments(funnel, by_value, day, value, \(version < 5 ? "body" : "attempts")) "
                        + "VALUES (0, 0, ?, x'', ?)",
                    arguments: [day, Data(bytes)]
                )
                guard version >= SQLiteSchema.firstVersionWithResultCounts else { continue }
                let key = SummaryKey(funnel: 0, value: nil, day: Day(number: Int32(day)))
                let counts = try ResultCount.counts(of: [SummaryDelta(key: key, segment: bytes)])
                try SQLiteResultCountWriter(#require(database.sqliteConnection)).add(counts)
            }
        }
        try database.close()
    }

    private func actors() throws -> [String] {
        let database = try DatabaseQueue(path: path)
        defer { try? database.close() }
        return try database.read {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT funnel || ' ' || coalesce(value, '-') || ' ' || day || coalesce(' ' || previous_day, '')
                        || ' ' || depth || ' ' || actors
                    FROM funnel_results ORDER BY day, depth
                    """
            )
        }
    }

    @Test(arguments: 1...6)
    func `a store of any released version goes on with all it has, and fills its view`(version: Int) throws {
        try makeStore(version: version)
        try addSegments(version: version)
        let store = try SQLiteFunnelStore(path: path)
        #expect(try store.open(Fixtures.identity()) == [OldStore.standing])
        #expect(try store.installs([OldStore.row.install]) == [OldStore.row])
        #expect(try store.commit(OldStore.commit) == .committed)
        #expect(try store.progress().map(\.quality) == [OldStore.quality])
        try store.close()
        let reader = try SQLiteFunnelReader(path: path)
        #expect(try reader.withSnapshot { try OldStore.figures(in: $0) } == OldStore.figures)
        #expect(try actors() == OldStore.viewRows)
    }

    @Test(arguments: 1...6)
    func `a crash in the middle of an upgrade leaves the old store`(version: Int) throws {
        try makeStore(version: version)
        try addSegments(version: version)
        let database = try DatabaseQueue(path: path)
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            // What does not fit into the cache is written to the log before the commit.
            try database.execute(sql: "PRAGMA cache_size = 1")
            try database.inTransaction(.immediate) {
                for step in SQLiteSchema.steps.dropFirst(version) { try database.execute(sql: step) }
                try database.execute(sql: "PRAGMA user_version = \(SQLiteSchema.version)")
                // The files as a crash at this moment leaves them.
                for suffix in ["", "-wal"] {
                    try FileManager.default.copyItem(
                        atPath: path + suffix,
                        toPath: directory.file("crashed.sqlite") + suffix
                    )
                }
                return .rollback
            }
        }
        try database.close()
        let crashed = directory.file("crashed.sqlite")
        let old = try DatabaseQueue(path: crashed)
        #expect(try old.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == version)
        #expect(try old.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM segments") } == 2)
        try old.close()
        let store = try SQLiteFunnelStore(path: crashed)
        #expect(try store.open(Fixtures.identity()) == [OldStore.standing])
        #expect(try store.commit(OldStore.commit) == .committed)
        try store.close()
        let reader = try SQLiteFunnelReader(path: crashed)
        #expect(try reader.withSnapshot { try OldStore.figures(in: $0) } == OldStore.figures)
    }

    @Test func `a segment that cannot be counted leaves the old store`() throws {
        try makeStore(version: 5)
        let database = try DatabaseQueue(path: path)
        try database.write { database in
            try database.execute(
                sql: "INSERT INTO segments(funnel, by_value, day, value, attempts) VALUES (0, 0, 1, x'', x'000002')"
            )
        }
        let error = #expect(throws: StoreError.self) { try SQLiteFunnelStore(path: path) }
        #expect(error?.code == .unusable)
        #expect(try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 5)
        try database.close()
    }

    @Test func `a store keeps the transitions of time zones by their names`() throws {
        try SQLiteFunnelStore(path: path).close()
        try DatabaseQueue(path: path).writeWithoutTransaction { database in
            let queries = try SQLiteStoreQueries(database, SQLiteStoreLocation(path))
            #expect(try queries.timeZone("Europe/Berlin") == nil)
            for transitions in [[1, 2], [3]] as [[UInt8]] { try queries.setTimeZone("Europe/Berlin", transitions) }
            #expect(try queries.timeZone("Europe/Berlin") == [3])
            #expect(try queries.timeZone("Europe/Paris") == nil)
        }
    }

    @Test func `first days are kept`() throws {
        try makeStore(version: 5)
        let database = try DatabaseQueue(path: path)
        try database.write { try $0.execute(sql: "INSERT INTO beginnings(funnel, first_day) VALUES ('second', 7)") }
        try database.close()
        try SQLiteFunnelStore(path: path).close()
        let reader = try SQLiteFunnelReader(path: path)
        #expect(try reader.withSnapshot { try $0.firstCompleteDay(of: "second") } == Day(number: 7))
        #expect(try reader.withSnapshot { try $0.firstCompleteDay(of: "first") } == nil)
    }
}
