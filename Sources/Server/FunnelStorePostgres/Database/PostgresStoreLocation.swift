import CPostgreSQL
import FunnelStore

/// The database of a store. It turns libpq's errors into `StoreError`s. Only ``url`` contains secrets.
struct PostgresStoreLocation: StoreLocation {
    /// The whole URL, for libpq.
    let url: String
    /// The URL's user, host, port and database.
    let name: String

    /// Parses a URL.
    ///
    /// - Throws: `StoreError` with `StoreError.Code.invalidURL` if it is not a valid URL. The error quotes neither
    ///   the URL nor libpq's message, because both may contain the password.
    init(_ url: String) throws(StoreError) {
        guard let options = PQconninfoParse(url, nil) else { throw Self.unreadable }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        // The last entry of libpq's array has no keyword.
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        let host = values["host"] ?? values["hostaddr"] ?? ""
        let port = values["port"] ?? ""
        let database = values["dbname"] ?? ""
        // If the password contains a `/` that is not percent-encoded, libpq takes the password's beginning for the port
        // and its end for the database. Without a host it takes the whole password for the port.
        guard port.allSatisfy({ $0.isWholeNumber || $0 == "," }), !host.contains("@"), !database.contains("@") else {
            throw Self.unreadable
        }
        for number in port.split(separator: ",") where !(1...65_535).contains(Int(number) ?? 0) {
            throw .invalidURL("the PostgreSQL URL of the store has the port \(number): expected one from 1 to 65535")
        }
        if let mode = values["sslmode"], !Self.sslModes.contains(mode) {
            throw .invalidURL(
                "the PostgreSQL URL of the store has an unknown sslmode: expected one of \(Self.sslModes.joined(separator: ", "))"
            )
        }
        self.url = url
        let user = values["user"].map { "\($0)@" } ?? ""
        name = "postgres://\(user)\(host)\(port.isEmpty ? "" : ":\(port)")/\(database)"
    }

    private static let sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

    private static let unreadable = StoreError.invalidURL(
        "the PostgreSQL URL of the store cannot be read: give postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTION=VALUE "
            + "with %25 for %, %2F for / and %40 for @ in the user and the password"
    )

    func storeError(for error: any Error) -> StoreError? {
        (error as? PostgresFailure).map(storeError)
    }

    func damaged(_ detail: String) -> StoreError {
        .unusable(
            "the store \(name) is damaged (\(detail)): restore the database from a backup, or use another database to "
                + "count again from what the topic still has"
        )
    }

    func storeError(_ failure: PostgresFailure) -> StoreError {
        let detail = failure.message
        guard !failure.isConnectionLost else {
            return .unavailable(
                "the store \(name) cannot be reached (\(detail)): check the host, the port, the user, the password and "
                    + "the TLS settings of its URL, and that PostgreSQL runs there"
            )
        }
        switch failure.sqlState ?? "" {
        case "42501":
            return .unavailable(
                "the store \(name) may not be used (\(detail)): grant this user the rights on the flow_funnels tables, and "
                    + "CREATE on their schema to create them"
            )
        case "3F000":
            return .unavailable(
                "the store \(name) has no schema for its tables (\(detail)): create the first schema of this user's "
                    + "search_path"
            )
        case "53100":
            return fullDisk
        case "25006":
            return .unavailable(
                "the store \(name) may only be read (\(detail)): connect to the primary, as with "
                    + "target_session_attrs=read-write in the URL; if it is the primary, switch default_transaction_read_only off "
                    + "for this user and database"
            )
        case "57014":
            return .unavailable(
                "the store \(name) canceled a statement (\(detail)): raise statement_timeout and lock_timeout for this user and "
                    + "database, or free the server of other load"
            )
        // Without the statements that were prepared, a pooler stands between, which was not found at the start.
        case "26000", "42P05":
            return .unavailable(
                "the store \(name) has lost its prepared statements (\(detail)): connect to PostgreSQL itself, or set "
                    + "pool_mode=session in the pooler"
            )
        // Undefined columns, tables and functions; columns of another type; damaged pages and indexes.
        case "42P01", "42703", "42804", "42883", "XX001", "XX002":
            return damaged(detail)
        default:
            return .unavailable("the store \(name) cannot be used now (\(detail)): check that PostgreSQL runs there")
        }
    }
}
