import Foundation
import FunnelStore
import Funnels
import GRDB
import GRDBSQLite

extension SQLiteFunnelStore {
    /// Makes an empty file that only its owner may read and write; SQLite gives `-wal` and `-shm` the same rights.
    static func createFile(_ place: StorePlace) throws {
        let descriptor = Foundation.open(place.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            Foundation.close(descriptor)
        } else if errno != EEXIST {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: String(cString: strerror(errno)))
        }
    }

    /// Checks whose file it is before anything in it is changed, then brings it up to date.
    static func prepare(_ database: Database, _ place: StorePlace) throws {
        let connection = try SQLiteStoreQueries(database, place).connection
        let found = try StoreSchema.inspect(connection, place)
        // SQLite opens a file that it may not write for reading only, and would say so at the first commit.
        guard sqlite3_db_readonly(connection, "main") == 0 else {
            throw DatabaseError(resultCode: .SQLITE_READONLY, message: "its file is read-only")
        }
        // The log lets reports read while a commit is written.
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "its file system has no shared memory")
        }
        // NORMAL: a commit is in the log, whose frames carry checksums, but not yet synced. A power failure may take
        // back the last commits, each as a whole and with its offsets, so they are read again; it cannot tear one.
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
        // In pages of 4 KiB. A hot page is written back once for many commits.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 50000")
        // In KiB. Holds the index over the installs' ids of about a million installs.
        try database.execute(sql: "PRAGMA cache_size = -65536")
        try migrate(database, from: found)
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

    private static func migrate(_ database: Database, from found: StoreSchema.Finding) throws {
        let version: Int64 = if case .store(let version) = found { version } else { 0 }
        guard version < StoreSchema.version else { return }
        try database.inTransaction(.immediate) {
            for step in StoreSchema.steps.dropFirst(Int(version)) { try database.execute(sql: step) }
            if version < StoreSchema.firstVersionWithColumns { try convertSegments(database) }
            // The header is part of the transaction: a crash leaves an empty file or a whole store.
            try database.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(StoreSchema.version)")
            return .commit
        }
    }

    private static func convertSegments(_ database: Database) throws {
        // One by one: together they may be larger than the memory.
        for id in try Int64.fetchAll(database, sql: "SELECT id FROM segments") {
            let old = try Data.fetchOne(database, sql: "SELECT attempts FROM segments WHERE id = ?", arguments: [id])
            let new = Data(try SummarySegment.converted(fromRecords: Array(old ?? Data())))
            try database.execute(sql: "UPDATE segments SET attempts = ? WHERE id = ?", arguments: [new, id])
        }
    }
}

extension SQLiteStoreQueries {
    init(_ database: Database, _ place: StorePlace) throws {
        guard let connection = database.sqliteConnection else {
            throw StoreError.unavailable("the store \(place.name) was closed")
        }
        self.init(connection: connection, place: place)
    }
}
