import Funnels

/// The table `row_log`. The caller begins the transaction.
struct SQLiteRowLog {
    let connection: OpaquePointer
    let location: SQLiteStoreLocation

    /// Adds the patches of a commit.
    func append(_ patches: StatePatches) throws {
        let statement = try SQLiteStatement(connection, "INSERT INTO row_log(patches) VALUES (?1)")
        try statement.withBlob(patches.bytes, at: 1) { _ = try statement.run() }
    }

    /// Reads the log: the rows that it changes, in their newest versions.
    ///
    /// - Throws: `StoreError` if a patch does not belong to its row, and SQLite's errors.
    func rows() throws -> LoggedRows {
        var logged = LoggedRows()
        let base = try SQLiteStatement(connection, "SELECT version, state FROM installs WHERE id = ?1")
        let log = try SQLiteStatement(connection, "SELECT patches FROM row_log ORDER BY id")
        do {
            try log.forEachRow { entry in
                try StatePatches.forEach(in: entry.borrowedBytes(0)) { id, version, patch in
                    var row = logged.rows[id]
                    if row == nil {
                        try base.bind(id, at: 1)
                        try base.forEachRow { row = LoggedRows.Row(version: $0.integer(0), state: $0.bytes(1)) }
                    }
                    guard let row, row.version == version else { throw DamagedPatch() }
                    logged.put(LoggedRows.Row(version: version + 1, state: try patch.applied(to: row.state)), id: id)
                }
            }
        } catch is DamagedPatch {
            throw location.damaged("the log of its rows cannot be read")
        }
        return logged
    }

    /// Writes logged rows in place, and empties the log.
    func write(_ logged: LoggedRows) throws {
        if !logged.rows.isEmpty {
            let update = try SQLiteStatement(connection, "UPDATE installs SET version = ?2, state = ?3 WHERE id = ?1")
            // In the order of the table, which is walked once.
            for id in logged.rows.keys.sorted() {
                guard let row = logged.rows[id] else { continue }
                try update.bind(id, at: 1)
                try update.bind(row.version, at: 2)
                try update.withBlob(row.state, at: 3) { _ = try update.run() }
            }
        }
        try SQLiteStatement(connection, "DELETE FROM row_log").run()
    }

    /// Writes all rows of the log in place, as after a crash.
    func writeAll() throws { try write(rows()) }

    /// Whether all rows are in place in their newest versions.
    var isEmpty: Bool {
        get throws {
            var result = true
            try SQLiteStatement(connection, "SELECT EXISTS (SELECT 1 FROM row_log)").forEachRow { row in
                result = row.integer(0) == 0
            }
            return result
        }
    }
}
