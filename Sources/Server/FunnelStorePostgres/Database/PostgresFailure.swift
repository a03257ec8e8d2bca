/// What libpq or the server said was wrong.
struct PostgresFailure: Error {
    /// The server's [SQLSTATE](https://www.postgresql.org/docs/current/errcodes-appendix.html); `nil` where the server
    /// said nothing.
    let sqlState: String?
    /// The server's primary message or libpq's. No detail, which may quote rows.
    let message: String
    /// Whether the connection is of no more use.
    let isConnectionLost: Bool
}

extension PostgresFailure {
    /// Another transaction was in the way in a moment that cannot come twice the same.
    static let overtaken = PostgresFailure(
        sqlState: "40001",
        message: "another consumer's transaction was in the way",
        isConnectionLost: false
    )

    /// Whether the same may succeed a little later.
    var isTransient: Bool {
        guard let sqlState else { return isConnectionLost }
        return isConnectionLost || needsNewConnection || Self.transientClasses.contains(String(sqlState.prefix(2)))
            || Self.transientStates.contains(sqlState)
    }

    /// Whether this server takes no writes although the connection stands: it was the primary, and is no more.
    var needsNewConnection: Bool {
        sqlState == "25006"
    }

    // 08 connection, 40 transaction rolled back: serialization failures and deadlocks.
    private static let transientClasses: Set<String> = ["08", "40"]
    // Server shutting down, crashed or starting; statement timeout; lock timeout; too many connections; out of memory.
    private static let transientStates: Set<String> = [
        "57P01", "57P02", "57P03", "57P05", "57014", "55P03", "53300", "53200", "25P03",
    ]
}
