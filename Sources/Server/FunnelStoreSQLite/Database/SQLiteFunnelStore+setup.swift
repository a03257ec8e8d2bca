import Foundation
import FunnelStore
import Funnels
import GRDB
import GRDBSQLite

extension SQLiteFunnelStore {
    /// Creates an empty file that only its owner may read and write. SQLite gives `-wal` and `-shm` the same
    /// permissions.
    static func createFile(_ location: SQLiteStoreLocation) throws {
        let descriptor = Foundation.open(location.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            Foundation.close(descriptor)
        } else if errno != EEXIST {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: String(cString: strerror(errno)))
        }
    }

    /// Checks that the file is a store before anything in it is changed, then brings it up to date.
    static func prepare(_ database: Database, _ location: SQLiteStoreLocation) throws {
        let connection = try SQLiteStoreQueries(database, location).connection
        let version = try SQLiteSchema.version(of: connection, location)
        // SQLite opens a file without write permission as read-only, and reports an error only at the first commit.
        guard sqlite3_db_readonly(connection, "main") == 0 else {
            throw DatabaseError(resultCode: .SQLITE_READONLY, message: "its file is read-only")
        }
        // Only an empty file takes the size, which is SQLite's own default. The stores of some versions before have 2 KiB.
        try database.execute(sql: "PRAGMA page_size = 4096")
        // With a write-ahead log, reports can read while a commit is written.
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "its file system has no shared memory")
        }
        // NORMAL: a commit is in the log, whose frames have checksums, but not yet synced. A power failure may undo the
        // last commits, each as a whole and with its offsets, so that the consumer reads them again.
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
        // About 200 MB, in pages. A page that changes often is written to the file once for many commits.
        let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
        try database.execute(sql: "PRAGMA wal_autocheckpoint = \(200_000_000 / max(512, pageSize))")
        // In KiB. Enough for the index of a quarter of a million installs; the system's cache has the rest.
        try database.execute(sql: "PRAGMA cache_size = -16384")
        try migrate(database, from: version ?? 0)
        guard try !SQLiteStoreQueries(database, location).log.isEmpty else { return }
        try database.inTransaction(.immediate) {
            try SQLiteStoreQueries(database, location).log.writeAll()
            return .commit
        }
    }

    static func write(_ funnels: [Funnel], to database: Database) throws {
        try database.execute(sql: "DELETE FROM funnels")
        for (position, funnel) in funnels.enumerated() {
            try database.execute(
                sql: "INSERT INTO funnels(position, name, definition) VALUES (?, ?, ?)",
                arguments: [position, funnel.name, FunnelDefinitions.encode([funnel])]
            )
        }
    }

    private static func migrate(_ database: Database, from version: Int64) throws {
        guard version < SQLiteSchema.version else { return }
        try database.inTransaction(.immediate) {
            for step in SQLiteSchema.steps.dropFirst(Int(version)) { try database.execute(sql: step) }
            if version < SQLiteSchema.firstVersionWithColumns { try convertSegments(database) }
            if version < SQLiteSchema.firstVersionWithResultCounts { try countResults(database) }
            // The header is part of the transaction, so a crash leaves the old version or the new one.
            try database.execute(sql: "PRAGMA application_id = \(SQLiteSchema.applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(SQLiteSchema.version)")
            return .commit
        }
    }

    private static func convertSegments(_ database: Database) throws {
        // One at a time, because all of them may not fit into memory.
        for id in try Int64.fetchAll(database, sql: "SELECT id FROM segments") {
            let old = try Data.fetchOne(database, sql: "SELECT attempts FROM segments WHERE id = ?", arguments: [id])
            let new = Data(try SummarySegment.converted(fromRecords: Array(old ?? Data())))
            try database.execute(sql: "UPDATE segments SET attempts = ? WHERE id = ?", arguments: [new, id])
        }
    }
}

extension SQLiteFunnelStore {
    /// Fills the table of the view from the segments.
    private static func countResults(_ database: Database) throws {
        guard let connection = database.sqliteConnection else { return }
        let counts = try SQLiteResultCountWriter(connection)
        let segment = try SQLiteStatement(
            connection,
            "SELECT funnel, by_value, value, day, attempts FROM segments WHERE id = ?"
        )
        for id in try Int64.fetchAll(database, sql: "SELECT id FROM segments") {
            try segment.bind(id, at: 1)
            var deltas: [SummaryDelta] = []
            try segment.forEachRow { row in
                let key = SummaryKey(
                    funnel: Int(row.integer(0)),
                    value: row.integer(1) == 0 ? nil : row.bytes(2),
                    day: Day(number: Int32(truncatingIfNeeded: row.integer(3)))
                )
                deltas.append(SummaryDelta(key: key, segment: row.bytes(4)))
            }
            try counts.add(ResultCount.counts(of: deltas))
        }
    }
}

extension SQLiteStoreQueries {
    init(_ database: Database, _ location: SQLiteStoreLocation) throws {
        guard let connection = database.sqliteConnection else {
            throw location.closedStore
        }
        self.init(connection: connection, location: location)
    }
}
