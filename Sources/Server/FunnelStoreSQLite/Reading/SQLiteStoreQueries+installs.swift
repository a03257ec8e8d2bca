import FunnelStore
import Funnels

/// The rows of installs, as ``SQLiteStoreQueries/logged`` and the tables have them. Several statements read them, so they are
/// of one moment only inside a transaction.
extension SQLiteStoreQueries {
    /// Returns the rows of the given installs with a part of their history, in the order of their bytes, up to a limit. An
    /// install without a row is left out.
    func installs(
        _ installs: [[UInt8]],
        limit: RowLimit = .none,
        history: HistoryPart
    ) throws -> [StoredInstall] {
        let statement = try SQLiteStatement(connection, "SELECT id, version, state FROM installs WHERE install = ?")
        let rows = try SQLiteHistoryReader(connection, history)
        var result: [StoredInstall] = []
        var byteCount = 0
        for index in InstallOrder.indices(count: installs.count, by: { installs[$0] }) {
            guard byteCount < limit.byteCount, result.count < limit.rowCount else { break }
            let install = installs[index]
            try statement.withBlob(install, at: 1) {
                try statement.forEachRow { row in
                    let row = try newest(install, row, rows)
                    byteCount += row.byteCount
                    result.append(row)
                }
            }
        }
        return result
    }

    func installs(after install: [UInt8]?, limit: RowLimit, history: HistoryPart) throws -> [StoredInstall] {
        // A row's install may be empty, so the first batch must include it.
        let statement = try SQLiteStatement(
            connection,
            """
            SELECT id, version, state, install FROM installs WHERE install \(install == nil ? ">=" : ">") ?1
            ORDER BY install LIMIT ?2
            """
        )
        try statement.bind(Int64(limit.rowCount), at: 2)
        let rows = try SQLiteHistoryReader(connection, history)
        var result: [StoredInstall] = []
        var byteCount = 0
        try statement.withBlob(install ?? [], at: 1) {
            try statement.forEachRow(while: { byteCount < limit.byteCount }) { row in
                let row = try newest(row.bytes(3), row, rows)
                byteCount += row.byteCount
                result.append(row)
            }
        }
        return result
    }

    /// The newest version of an install's row, whose first columns are its id, version and state, with its history.
    private func newest(
        _ install: [UInt8],
        _ row: borrowing SQLiteRow,
        _ rows: borrowing SQLiteHistoryReader
    ) throws -> StoredInstall {
        let newest = logged.rows[row.integer(0)] ?? LoggedRows.Row(version: row.integer(1), state: row.bytes(2))
        return StoredInstall(
            install: install,
            version: newest.version,
            state: newest.state,
            history: try rows.history(of: install)
        )
    }
}

/// Reads a part of installs' histories.
private struct SQLiteHistoryReader: ~Copyable {
    private let statement: SQLiteStatement
    private let part: HistoryPart

    init(_ connection: OpaquePointer, _ part: HistoryPart) throws {
        self.part = part
        // The number is in the index, so that the blocks are not read where only the index is asked for.
        statement = try SQLiteStatement(
            connection,
            "SELECT number, state FROM history WHERE install = ?1 AND number <= ?2 ORDER BY number"
        )
    }

    func history(of install: [UInt8]) throws -> [HistoryRow] {
        var rows: [HistoryRow] = []
        try statement.bind(part.greatestNumber, at: 2)
        try statement.withBlob(install, at: 1) {
            try statement.forEachRow { rows.append(HistoryRow(number: $0.integer(0), state: $0.bytes(1))) }
        }
        return rows
    }
}
