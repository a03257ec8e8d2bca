public import FunnelStore
public import Funnels

/// Reads a store in a PostgreSQL database, even while consumers write it.
///
/// ```swift
/// let reader = try PostgresFunnelReader(url: "postgres://reports@db.example.com/funnels")
/// let quality = try reader.withSnapshot { try $0.quality() }
/// ```
///
/// It never writes, so a role that may only read the tables is enough, and so is a standby server. While one of its
/// transactions is open, the server cannot remove old versions of rows (`VACUUM`). Do not keep an audit open for hours.
public final class PostgresFunnelReader: FunnelAuditing {
    /// The funnels that the store counted when the reader was created. If a rebuild has changed them, the next call
    /// fails and updates this property.
    public var funnels: [Funnel] { read.funnels }
    /// How often rebuilds had changed the store's funnels when ``funnels`` were read.
    public var generation: Int64? { read.generation }
    private let location: PostgresStoreLocation
    private let statementTimeout: Duration?
    private var connection: PostgresConnection
    private var read: ReadFunnels

    /// Connects to the database at `url`.
    ///
    /// - Parameters:
    ///   - url: the URL, which may contain every parameter of libpq.
    ///   - statementTimeout: the greatest time of one statement, also while another program locks the tables; `nil` for
    ///     the settings of the URL, the role and the database.
    /// - Throws: `StoreError`, with `StoreError.Code.missing` if there is no store yet.
    public init(url: String, statementTimeout: Duration? = nil) throws(StoreError) {
        let location = try PostgresStoreLocation(url)
        let connection = try location.translating { try Self.connect(location, statementTimeout) }
        self.statementTimeout = statementTimeout
        self.location = location
        self.connection = connection
        read = try location.translating {
            try connection.transaction(Self.mode) {
                try PostgresSchema.check(connection, location)
                let queries = PostgresStoreQueries(connection: connection, location: location)
                return (false, try ReadFunnels(from: queries, at: location))
            }
        }
    }

    /// Runs `body` in one read transaction.
    ///
    /// - Throws: `StoreError`, also if `body` throws a `DamagedSummary`, and with `StoreError.Code.unavailable` if a
    ///   rebuild has changed ``funnels`` since they were read; and what else `body` throws.
    public func withSnapshot<R>(_ body: (any SummarySource) throws -> R) throws -> R {
        try inTransaction { try body(PostgresSnapshot(queries: $0)) }
    }

    /// Runs `body`, which also sees the installs, in one read transaction.
    ///
    /// - Throws: the same errors as ``withSnapshot(_:)``.
    public func withAudit<R>(_ body: (any FunnelAudit) throws -> R) throws -> R {
        try inTransaction { try body(PostgresAudit(queries: $0)) }
    }

    private func inTransaction<R>(_ body: (PostgresStoreQueries) throws -> R) throws -> R {
        try location.translatingOwnErrors {
            try begin()
            let result: R
            do {
                try PostgresSchema.check(connection, location)
                let queries = PostgresStoreQueries(connection: connection, location: location)
                try read.check(in: queries, at: location)
                result = try body(queries)
            } catch {
                // If the connection is lost, so is the transaction. The first error is the one to report.
                try? connection.run("ROLLBACK")
                throw error
            }
            try connection.run("ROLLBACK")
            return result
        }
    }

    private func begin() throws {
        let begin = "BEGIN \(Self.mode)"
        do {
            try connection.run(begin)
        } catch let failure as PostgresFailure where failure.isConnectionLost {
            connection = try Self.connect(location, statementTimeout)
            try connection.run(begin)
        }
    }

    private static func connect(
        _ location: PostgresStoreLocation,
        _ statementTimeout: Duration?
    ) throws -> PostgresConnection {
        let connection = try PostgresConnection(location.url)
        try PostgresPooler.refuse(connection, location)
        if let statementTimeout {
            let milliseconds = max(1, Int64(statementTimeout / .milliseconds(1)))
            try connection.run("SET statement_timeout = \(milliseconds)")
        }
        return connection
    }

    /// All statements of a transaction see the state of the first one.
    private static let mode = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
}
