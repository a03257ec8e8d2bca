/// An error of libpq or the server.
struct PostgresFailure: Error {
    /// The server's [SQLSTATE](https://www.postgresql.org/docs/current/errcodes-appendix.html); `nil` for an error of
    /// libpq.
    let sqlState: String?
    /// The server's primary message, or libpq's. Without the server's detail, which may quote rows.
    let message: String
    /// Whether the connection can no longer be used.
    let isConnectionLost: Bool
}

extension PostgresFailure {
    /// A conflict with another transaction, which a second attempt resolves.
    static let serializationFailure = PostgresFailure(
        sqlState: "40001",
        message: "another consumer's transaction was in the way",
        isConnectionLost: false
    )

    /// Whether the same call may succeed a little later.
    var isTransient: Bool {
        guard let sqlState else { return isConnectionLost }
        return isConnectionLost || needsNewConnection || Self.transientClasses.contains(String(sqlState.prefix(2)))
            || Self.transientStates.contains(sqlState)
    }

    /// Whether the server accepts only reads, although it is connected: it is no longer the primary server.
    var needsNewConnection: Bool {
        sqlState == "25006"
    }

    // 08: connection errors. 40: transactions that were rolled back, such as serialization failures and deadlocks.
    private static let transientClasses: Set<String> = ["08", "40"]
    // The server shuts down, has crashed or is starting; statement or lock timeout; too many connections; out of
    // memory.
    private static let transientStates: Set<String> = [
        "57P01", "57P02", "57P03", "57P05", "57014", "55P03", "53300", "53200", "25P03",
    ]
}
