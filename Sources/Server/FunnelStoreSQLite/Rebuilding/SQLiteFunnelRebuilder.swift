import Foundation
public import FunnelStore
public import Funnels
import GRDB
import GRDBSQLite

/// Changes the funnels of a store in an SQLite file, also while a consumer has it open.
///
/// It needs no ``SQLiteFunnelStore``'s right to be the only consumer: it writes in one transaction alone, in which
/// SQLite keeps the consumer out, and the consumer sees at its next commit that the funnels are others.
public final class SQLiteFunnelRebuilder: FunnelRedefining {
    private let place: StorePlace
    private let database: DatabaseQueue

    /// Opens the store at `path`, which must be there and of this version.
    ///
    /// - Parameters:
    ///   - path: the file; what follows `sqlite:` in a store URL.
    ///   - busyTimeout: how long to wait for a consumer's commit.
    /// - Throws: ``StoreError``: ``StoreError/missing(_:)`` where there is no store yet.
    public init(path: String, busyTimeout: Duration = .seconds(30)) throws(StoreError) {
        let place = StorePlace(path)
        self.place = place
        database = try place.translating {
            guard FileManager.default.fileExists(atPath: place.path) else {
                throw StoreError.none(at: place.name)
            }
            var configuration = Configuration()
            configuration.busyMode = .timeout(busyTimeout / .seconds(1))
            let database = try DatabaseQueue(path: place.path, configuration: configuration)
            try database.writeWithoutTransaction { try Self.check($0, place) }
            return database
        }
    }

    /// What the store belongs to; `nil` where no consumer has opened it yet.
    ///
    /// - Throws: ``StoreError``.
    public func identity() throws(StoreError) -> StoreIdentity? {
        try place.translating { try database.writeWithoutTransaction { try SQLiteStoreQueries($0, place).identity() } }
    }

    /// How far each partition has been taken in now.
    ///
    /// - Throws: ``StoreError``.
    public func progress() throws(StoreError) -> [PartitionProgress] {
        try place.translating { try database.writeWithoutTransaction { try SQLiteStoreQueries($0, place).progress() } }
    }

    /// Runs `body` in one transaction. A consumer's commit waits for its end.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    public func redefine<R>(_ body: (any StoreRedefinition) throws -> R) throws -> R {
        let lock = try SwitchLock(place)
        do {
            // To the end of the transaction.
            defer { withExtendedLifetime(lock) {} }
            return try database.writeWithoutTransaction { database in
                var result: R?
                try database.inTransaction(.immediate) {
                    let queries = try SQLiteStoreQueries(database, place)
                    result = try body(SQLiteRedefinition(database: database, queries: queries))
                    try StoreStatement(queries.connection, "UPDATE identity SET generation = generation + 1").run()
                    return .commit
                }
                guard let result else { throw DatabaseError(message: "the transaction did not run") }
                return result
            }
        } catch is DamagedSegment {
            throw place.damaged("a segment of the summary cannot be read")
        } catch let error as DatabaseError {
            throw place.storeError(error)
        }
    }

    private static func check(_ database: Database, _ place: StorePlace) throws {
        let connection = try SQLiteStoreQueries(database, place).connection
        switch try StoreSchema.inspect(connection, place) {
        case .empty:
            throw StoreError.empty(place.name)
        case .store(let version) where version < StoreSchema.version:
            throw StoreError.older(place.name)
        case .store:
            guard sqlite3_db_readonly(connection, "main") == 0 else {
                throw DatabaseError(resultCode: .SQLITE_READONLY, message: "its file is read-only")
            }
        }
    }
}
