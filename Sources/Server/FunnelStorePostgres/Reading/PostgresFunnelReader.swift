public import FunnelStore
public import Funnels

/// Reads a store in a PostgreSQL database for reports, also while consumers write it.
///
/// It never writes: a role that may only read the tables is enough, and so is a standby server. While a transaction of
/// its is open the server removes no old versions of rows (`VACUUM`), so an audit is better not left open for hours.
public final class PostgresFunnelReader: FunnelAuditing {
    /// The funnels that the store counts, as they were when it was opened.
    public let funnels: [Funnel]
    private let place: PostgresPlace
    private var connection: PostgresConnection

    /// Connects to the database at `url`.
    ///
    /// - Throws: ``StoreError``: ``StoreError/missing(_:)`` where there is no store yet.
    public init(url: String) throws(StoreError) {
        let place = try PostgresPlace(url)
        let connection = try Self.connect(place)
        self.place = place
        self.connection = connection
        funnels = try place.translating { try Self.funnels(connection, place) }
    }

    /// Runs `body` in one read transaction.
    ///
    /// - Throws: ``StoreError``, also where `body` meets a `DamagedSegment`, and what else `body` throws.
    public func withSnapshot<R>(_ body: (any SummarySource) throws -> R) throws -> R {
        try inTransaction { try body(PostgresSnapshot(queries: $0)) }
    }

    /// Runs `body` in one read transaction, in which it sees the installs too.
    ///
    /// - Throws: as ``withSnapshot(_:)``.
    public func withAudit<R>(_ body: (any FunnelAudit) throws -> R) throws -> R {
        try inTransaction { try body(PostgresAudit(queries: $0)) }
    }

    private func inTransaction<R>(_ body: (PostgresStoreQueries) throws -> R) throws -> R {
        do {
            try begin()
            let result: R
            do {
                result = try body(PostgresStoreQueries(connection: connection, place: place))
            } catch {
                // What was thrown first is the reason; a lost connection has no transaction left.
                try? connection.run("ROLLBACK")
                throw error
            }
            try connection.run("ROLLBACK")
            return result
        } catch is DamagedSegment {
            throw place.damaged("a segment of the summary cannot be read")
        } catch let failure as PostgresFailure {
            throw place.storeError(failure)
        }
    }

    private func begin() throws {
        // All statements see the state at the first of them.
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        do {
            try connection.run(begin)
        } catch let failure as PostgresFailure where failure.isConnectionLost {
            connection = try Self.connect(place)
            try connection.run(begin)
        }
    }

    private static func connect(_ place: PostgresPlace) throws(StoreError) -> PostgresConnection {
        do {
            return try PostgresConnection(place.url)
        } catch let failure as PostgresFailure {
            throw place.unreachable(failure)
        } catch {
            throw .unavailable("the store \(place.name): \(error)")
        }
    }

    private static func funnels(_ connection: PostgresConnection, _ place: PostgresPlace) throws -> [Funnel] {
        guard let version = try PostgresSchema.inspect(connection, place) else { throw StoreError.none(at: place.name) }
        guard version == PostgresSchema.version else { throw StoreError.older(place.name) }
        guard let identity = try PostgresStoreQueries(connection: connection, place: place).identity() else {
            throw StoreError.empty(place.name)
        }
        return identity.funnels
    }
}
