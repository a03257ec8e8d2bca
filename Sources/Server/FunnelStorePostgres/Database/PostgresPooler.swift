import CPostgreSQL
import FunnelStore

/// Finds a pooler that gives each transaction another connection to the server, as pgbouncer does with
/// `pool_mode=transaction`.
///
/// A store prepares its statements and sets its session once, and both would be missing, or be another client's, on the next
/// connection. So such a pooler is refused at the start. One that gives each client a connection of its own is taken.
enum PostgresPooler {
    /// - Throws: `StoreError` where the pooler was found, and ``PostgresFailure``.
    static func refuse(_ connection: PostgresConnection, _ location: PostgresStoreLocation) throws {
        // A pooler announces a number of its own in place of the server's process.
        let own = try process(of: connection)
        guard Int64(PQbackendPID(connection.handle)) != own else { return }
        let other = try PostgresConnection(location.url)
        try other.run("BEGIN")
        // The other client holds its connection now. It is the first one's, which was free between two transactions.
        let taken = try process(of: other)
        let isShared = taken == own ? true : try process(of: connection) != own
        try other.run("ROLLBACK")
        guard isShared else { return }
        throw StoreError.unavailable(
            "the store \(location.name) is behind a pooler that gives each transaction another connection, such as pgbouncer "
                + "with pool_mode=transaction: connect to PostgreSQL itself, or set pool_mode=session for this database"
        )
    }

    /// The process of the server that a connection leads to.
    private static func process(of connection: PostgresConnection) throws -> Int64 {
        // Not prepared, because the pooler may give the statement to a connection that does not have it.
        let text = try connection.text("SELECT pg_backend_pid()")
        return Int64(text) ?? 0
    }
}

extension PostgresConnection {
    /// Runs a statement without preparing it, and returns its only value as text.
    func text(_ sql: String) throws -> String {
        try checked(PQexec(handle, sql)).firstText ?? ""
    }
}
