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
    /// The funnels that the store counted when the reader was created.
    public let funnels: [Funnel]
    private let location: PostgresStoreLocation
    private var connection: PostgresConnection

    /// Connects to the database at `url`.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/missing`` if there is no store yet.
    public init(url: String) throws(StoreError) {
        let location = try PostgresStoreLocation(url)
        let connection = try location.translating { try PostgresConnection(location.url) }
        self.location = location
        self.connection = connection
        funnels = try location.translating { try Self.funnels(connection, location) }
    }

    /// Runs `body` in one read transaction.
    ///
    /// - Throws: ``StoreError``, also if `body` throws a `DamagedSegment`; and what else `body` throws.
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
                result = try body(PostgresStoreQueries(connection: connection, location: location))
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
        // All statements see the state of the first one.
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        do {
            try connection.run(begin)
        } catch let failure as PostgresFailure where failure.isConnectionLost {
            connection = try PostgresConnection(location.url)
            try connection.run(begin)
        }
    }

    private static func funnels(_ connection: PostgresConnection, _ location: PostgresStoreLocation) throws -> [Funnel]
    {
        try PostgresSchema.checkIsCurrent(connection, location)
        guard let identity = try PostgresStoreQueries(connection: connection, location: location).identity() else {
            throw location.emptyStore
        }
        return identity.funnels
    }
}
