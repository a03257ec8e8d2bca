public import FunnelStore
public import Funnels

/// Reads a store in an SQLite file, even while a consumer writes it.
///
/// ```swift
/// let reader = try SQLiteFunnelReader(path: "funnels.sqlite")
/// let quality = try reader.withSnapshot { try $0.quality() }
/// ```
///
/// It neither writes nor creates a store. It reads a store that nobody has open without creating any file, even from a
/// directory without write permission.
public final class SQLiteFunnelReader: FunnelAuditing {
    /// The funnels that the store counted when the reader was created.
    public let funnels: [Funnel]
    private let location: SQLiteStoreLocation
    private let connection: ReadOnlyConnection

    /// Opens the store at `path` for reading.
    ///
    /// - Parameters:
    ///   - path: the file, which follows `sqlite:` in a store URL.
    ///   - busyTimeout: how long to wait while another program recovers the log of a crashed consumer.
    /// - Throws: ``StoreError``, with ``StoreError/Code/missing`` if there is no store yet.
    public init(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
        let location = SQLiteStoreLocation(path)
        self.location = location
        (connection, funnels) = try location.translating {
            let connection = try ReadOnlyConnection(location, busyTimeout: busyTimeout)
            return (connection, try Self.funnels(connection, location))
        }
    }

    /// Runs `body` in one read transaction.
    ///
    /// - Throws: ``StoreError``, also if `body` throws a `DamagedSegment`; and what else `body` throws.
    public func withSnapshot<R>(_ body: (any SummarySource) throws -> R) throws -> R {
        try inTransaction { queries in
            // A summary is read from beginning to end, twice at most. For a short process, reading a page again takes
            // less time than touching new memory, so a cache of a few pages is enough.
            try SQLiteStatement(queries.connection, "PRAGMA cache_size = 20").run()
            return try body(SQLiteSnapshot(queries: queries))
        }
    }

    /// Runs `body`, which also sees the installs, in one read transaction.
    ///
    /// - Throws: the same errors as ``withSnapshot(_:)``.
    public func withAudit<R>(_ body: (any FunnelAudit) throws -> R) throws -> R {
        try inTransaction { try body(SQLiteAudit(queries: $0)) }
    }

    private func inTransaction<R>(_ body: (SQLiteStoreQueries) throws -> R) throws -> R {
        let queries = SQLiteStoreQueries(connection: connection.handle, location: location)
        return try location.translatingOwnErrors { try connection.withTransaction { try body(queries) } }
    }

    private static func funnels(_ connection: ReadOnlyConnection, _ location: SQLiteStoreLocation) throws -> [Funnel] {
        guard let version = try SQLiteSchema.version(of: connection.handle, location) else { throw location.emptyStore }
        try location.checkIsCurrent(version, known: SQLiteSchema.version)
        let queries = SQLiteStoreQueries(connection: connection.handle, location: location)
        guard let identity = try queries.identity() else { throw location.emptyStore }
        return identity.funnels
    }
}
