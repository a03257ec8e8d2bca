import Funnels

/// Writes the rows of installs' histories.
struct SQLiteHistoryWriter: ~Copyable {
    private let put: SQLiteStatement
    private let delete: SQLiteStatement
    private let deleteAll: SQLiteStatement

    init(_ connection: OpaquePointer) throws {
        let put = try SQLiteStatement(
            connection,
            """
            INSERT INTO history(install, number, state) VALUES (?1, ?2, ?3)
            ON CONFLICT (install, number) DO UPDATE SET state = excluded.state
            """
        )
        let delete = try SQLiteStatement(connection, "DELETE FROM history WHERE install = ?1 AND number = ?2")
        let deleteAll = try SQLiteStatement(connection, "DELETE FROM history WHERE install = ?")
        // In one call: a noncopyable value cannot be left partly initialized if one of the statements fails.
        self.init(put: put, delete: delete, deleteAll: deleteAll)
    }

    private init(
        put: consuming SQLiteStatement,
        delete: consuming SQLiteStatement,
        deleteAll: consuming SQLiteStatement
    ) {
        self.put = put
        self.delete = delete
        self.deleteAll = deleteAll
    }

    /// Inserts or replaces rows. A row with an empty state is deleted.
    func write(_ rows: [HistoryRow], of install: [UInt8]) throws {
        for row in rows {
            if row.state.isEmpty {
                try delete.bind(row.number, at: 2)
                try delete.withBlob(install, at: 1) { _ = try delete.run() }
            } else {
                try put.bind(row.number, at: 2)
                try put.withBlob(install, at: 1) {
                    try put.withBlob(row.state, at: 3) { _ = try put.run() }
                }
            }
        }
    }

    /// Replaces all rows of an install.
    func replace(by rows: [HistoryRow], of install: [UInt8]) throws {
        try deleteAll.withBlob(install, at: 1) { _ = try deleteAll.run() }
        try write(rows, of: install)
    }
}
