import Foundation
public import FunnelStore
public import Funnels
import GRDB
import GRDBSQLite

/// Changes the funnels of a store in an SQLite file, even while a consumer has it open.
///
/// ```swift
/// let rebuilder = try SQLiteFunnelRebuilder(path: "funnels.sqlite")
/// let funnels = try rebuilder.identity()?.funnels
/// ```
///
/// It does not need to be the store's only consumer, as ``SQLiteFunnelStore`` does: it writes in a single transaction,
/// which excludes the consumer. The consumer's next commit reports the new funnels.
public final class SQLiteFunnelRebuilder: FunnelRebuilding {
    private let location: SQLiteStoreLocation
    private let database: DatabaseQueue

    /// Opens the store at `path`, which must exist and have this program's version.
    ///
    /// - Parameters:
    ///   - path: the file, which follows `sqlite:` in a store URL.
    ///   - busyTimeout: how long to wait for a consumer's commit.
    /// - Throws: `StoreError`, with `StoreError.Code.missing` if there is no store.
    public init(path: String, busyTimeout: Duration = .seconds(30)) throws(StoreError) {
        let location = SQLiteStoreLocation(path)
        self.location = location
        try location.refuseDirectory()
        database = try location.translating {
            guard FileManager.default.fileExists(atPath: location.path) else {
                throw location.noStore
            }
            var configuration = Configuration()
            configuration.busyMode = .timeout(busyTimeout / .seconds(1))
            let database = try DatabaseQueue(path: location.path, configuration: configuration)
            try database.writeWithoutTransaction { try Self.check($0, location) }
            return database
        }
    }

    /// Returns the store's identity; `nil` if no consumer has opened the store yet.
    ///
    /// - Throws: `StoreError`.
    public func identity() throws(StoreError) -> StoreIdentity? {
        try location.translating {
            try database.writeWithoutTransaction { try SQLiteStoreQueries($0, location).identity() }
        }
    }

    /// Returns the current progress of each partition.
    ///
    /// - Throws: `StoreError`.
    public func progress() throws(StoreError) -> [PartitionProgress] {
        try location.translating {
            try database.writeWithoutTransaction { try SQLiteStoreQueries($0, location).progress() }
        }
    }

    /// Returns the erased installs with the key of their hashes; `nil` if no consumer has opened the store yet.
    ///
    /// - Throws: `StoreError`.
    public func erasedInstalls() throws(StoreError) -> ErasedInstalls? {
        try location.translating {
            try database.writeWithoutTransaction { try SQLiteStoreQueries($0, location).erasedInstalls() }
        }
    }

    /// Runs `body` in one transaction. A consumer's commit waits until it ends.
    ///
    /// - Throws: `StoreError`, and what `body` throws.
    public func rebuild<R>(_ body: (any StoreRebuild) throws -> R) throws -> R {
        let lock = try RebuildLock(location)
        // The lock is held until the transaction has ended.
        defer { withExtendedLifetime(lock) {} }
        return try location.translatingOwnErrors {
            try database.writeWithoutTransaction { database in
                var result: R?
                try database.inTransaction(.immediate) {
                    let queries = try SQLiteStoreQueries(database, location)
                    try queries.log.writeAll()
                    result = try body(SQLiteRebuild(database: database, queries: queries))
                    try SQLiteStatement(queries.connection, "UPDATE identity SET generation = generation + 1").run()
                    return .commit
                }
                guard let result else { throw DatabaseError(message: "the transaction did not run") }
                return result
            }
        }
    }

    private static func check(_ database: Database, _ location: SQLiteStoreLocation) throws {
        let connection = try SQLiteStoreQueries(database, location).connection
        guard try SQLiteSchema.hasStore(connection, location) else { throw location.emptyStore }
        guard sqlite3_db_readonly(connection, "main") == 0 else {
            throw DatabaseError(resultCode: .SQLITE_READONLY, message: "its file is read-only")
        }
    }
}
