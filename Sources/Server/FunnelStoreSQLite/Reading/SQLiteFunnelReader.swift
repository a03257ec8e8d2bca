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
    /// The funnels that the store counted when the reader was created. If a rebuild has changed them, the next call
    /// fails and updates this property.
    public var funnels: [Funnel] { read.funnels }
    /// How often rebuilds had changed the store's funnels when ``funnels`` were read.
    public var generation: Int64? { read.generation }
    private let location: SQLiteStoreLocation
    private let connection: ReadOnlyConnection
    private var read: ReadFunnels

    /// Opens the store at `path` for reading.
    ///
    /// - Parameters:
    ///   - path: the file, which follows `sqlite:` in a store URL.
    ///   - busyTimeout: how long to wait while another program recovers the log of a crashed consumer.
    /// - Throws: `StoreError`, with `StoreError.Code.missing` if there is no store yet.
    public init(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
        let location = SQLiteStoreLocation(path)
        self.location = location
        try location.refuseDirectory()
        (connection, read) = try location.translating {
            let connection = try ReadOnlyConnection(location, busyTimeout: busyTimeout)
            let read = try connection.withTransaction {
                try Self.checkVersion(connection, location)
                let queries = SQLiteStoreQueries(connection: connection.handle, location: location)
                return try ReadFunnels(from: queries, at: location)
            }
            return (connection, read)
        }
    }

    /// Runs `body` in one read transaction.
    ///
    /// - Throws: `StoreError`, also if `body` throws a `DamagedSummary`, and with `StoreError.Code.unavailable` if a
    ///   rebuild has changed ``funnels`` since they were read; and what else `body` throws.
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
        try inTransaction { queries in
            var queries = queries
            queries.logged = try queries.log.rows()
            return try body(SQLiteAudit(queries: queries))
        }
    }

    private func inTransaction<R>(_ body: (SQLiteStoreQueries) throws -> R) throws -> R {
        let queries = SQLiteStoreQueries(connection: connection.handle, location: location)
        return try location.translatingOwnErrors {
            try connection.withTransaction {
                try Self.checkVersion(connection, location)
                try read.check(in: queries, at: location)
                return try body(queries)
            }
        }
    }

    private static func checkVersion(_ connection: ReadOnlyConnection, _ location: SQLiteStoreLocation) throws {
        guard try SQLiteSchema.hasStore(connection.handle, location) else { throw location.emptyStore }
    }
}
