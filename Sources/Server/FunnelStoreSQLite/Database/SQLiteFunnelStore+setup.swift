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

    /// Checks that the file is empty or a store before anything in it is changed, then creates the tables of a new store.
    static func prepare(_ database: Database, _ location: SQLiteStoreLocation) throws {
        let connection = try SQLiteStoreQueries(database, location).connection
        let isNew = try !SQLiteSchema.hasStore(connection, location)
        // SQLite opens a file without write permission as read-only, and reports an error only at the first commit.
        guard sqlite3_db_readonly(connection, "main") == 0 else {
            throw DatabaseError(resultCode: .SQLITE_READONLY, message: "its file is read-only")
        }
        // With a write-ahead log, reports can read while a commit is written.
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "its file system has no shared memory")
        }
        // NORMAL: a commit is in the log, whose frames have checksums, but not yet synced. A power failure may undo the
        // last commits, each as a whole and with its offsets, so that the consumer reads them again.
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
        // About 200 MB, in pages of SQLite's default size. A page that changes often is written to the file once for many
        // commits.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 48828")
        // In KiB. Enough for the index of a quarter of a million installs; the system's cache has the rest.
        try database.execute(sql: "PRAGMA cache_size = -16384")
        if isNew { try createTables(database) }
        guard try !SQLiteStoreQueries(database, location).log.isEmpty else { return }
        try database.inTransaction(.immediate) {
            try SQLiteStoreQueries(database, location).log.writeAll()
            return .commit
        }
    }

    private static func createTables(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            try database.execute(sql: SQLiteSchema.tables)
            // The header is part of the transaction, so a crash leaves an empty file or a store.
            try database.execute(sql: "PRAGMA application_id = \(SQLiteSchema.applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(SQLiteSchema.version)")
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
}

extension SQLiteStoreQueries {
    init(_ database: Database, _ location: SQLiteStoreLocation) throws {
        guard let connection = database.sqliteConnection else {
            throw location.closedStore
        }
        self.init(connection: connection, location: location)
    }
}
