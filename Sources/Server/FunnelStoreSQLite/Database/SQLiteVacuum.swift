public import FunnelStore
import GRDB

/// A rewriting of a store's file, after which it has no trace of the erased installs.
public struct SQLiteVacuum: Sendable {
    /// How long it took. No commit could be made meanwhile.
    public let duration: Duration
    /// Why it was not possible; `nil` where it was. A later commit tries again.
    public let failure: StoreError?

    /// Rewrites the file where that is due.
    ///
    /// - Returns: whether it was due.
    /// - Throws: `StoreError` where a report reads the store all the time, and SQLite's errors.
    static func run(_ database: Database, _ location: SQLiteStoreLocation) throws -> Bool {
        guard try Bool.fetchOne(database, sql: "SELECT is_vacuum_due FROM identity") ?? false else { return false }
        try database.execute(sql: "VACUUM")
        // The new pages are in the write-ahead log. Only now they replace the old ones in the file.
        let isBusy = try Bool.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? true
        guard !isBusy else {
            throw StoreError.unavailable("\(location.name) is being read, so its log cannot be emptied")
        }
        try database.execute(sql: "UPDATE identity SET is_vacuum_due = 0")
        return true
    }
}
