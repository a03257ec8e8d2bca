public import FunnelStore
public import Funnels
import GRDB

/// Reads a store in an SQLite file for reports, also while a consumer writes it.
///
/// It never writes the store and makes none. A store that nobody has open is read without making any file, also from a
/// directory that may not be written.
public final class SQLiteFunnelReader: FunnelAuditing {
    /// The funnels that the store counts, as they were when it was opened.
    public let funnels: [Funnel]
    private let place: StorePlace
    private let connection: ReportConnection

    /// Opens the store at `path` for reading.
    ///
    /// - Parameters:
    ///   - path: the file; what follows `sqlite:` in a store URL.
    ///   - busyTimeout: how long to wait where a crashed consumer's log is just being recovered by somebody else.
    /// - Throws: ``StoreError``: ``StoreError/missing(_:)`` where there is no store yet.
    public init(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
        let place = StorePlace(path)
        self.place = place
        (connection, funnels) = try place.translating {
            let connection = try ReportConnection(place, busyTimeout: busyTimeout)
            return (connection, try Self.funnels(connection, place))
        }
    }

    /// Runs `body` in one read transaction.
    ///
    /// - Throws: ``StoreError``, also where `body` meets a `DamagedSegment`, and what else `body` throws.
    public func withSnapshot<R>(_ body: (any SummarySource) throws -> R) throws -> R {
        try inTransaction { queries in
            // A summary is read from its beginning to its end, twice at most. Reading a page again takes less than memory
            // that a short process touches for the first time, so that a few pages are enough.
            try StoreStatement(queries.connection, "PRAGMA cache_size = 20").run()
            return try body(SQLiteSnapshot(queries: queries))
        }
    }

    /// Runs `body` in one read transaction, in which it sees the installs too.
    ///
    /// - Throws: as ``withSnapshot(_:)``.
    public func withAudit<R>(_ body: (any FunnelAudit) throws -> R) throws -> R {
        try inTransaction { try body(SQLiteAudit(queries: $0)) }
    }

    private func inTransaction<R>(_ body: (SQLiteStoreQueries) throws -> R) throws -> R {
        let queries = SQLiteStoreQueries(connection: connection.handle, place: place)
        do {
            return try connection.withTransaction { try body(queries) }
        } catch is DamagedSegment {
            throw place.damaged("a segment of the summary cannot be read")
        } catch let error as DatabaseError {
            throw place.storeError(error)
        }
    }

    private static func funnels(_ connection: ReportConnection, _ place: StorePlace) throws -> [Funnel] {
        switch try StoreSchema.inspect(connection.handle, place) {
        case .empty:
            throw StoreError.empty(place.name)
        case .store(let version) where version < StoreSchema.version:
            throw StoreError.older(place.name)
        case .store:
            let queries = SQLiteStoreQueries(connection: connection.handle, place: place)
            guard let identity = try queries.identity() else { throw StoreError.empty(place.name) }
            return identity.funnels
        }
    }
}
