import CPostgreSQL
import FunnelStore

/// Where a store is, and how its errors are told. Only ``url`` has secrets.
struct PostgresPlace: StoreErrorTelling, Sendable {
    /// The whole URL, as libpq reads it.
    let url: String
    /// The URL's user, host, port and database, for people.
    let name: String

    /// - Throws: ``StoreError/unavailable(_:)`` where the URL is none. It quotes nothing of it: what libpq says about a
    ///   URL that it cannot read may hold the password.
    init(_ url: String) throws(StoreError) {
        guard let options = PQconninfoParse(url, nil) else { throw Self.unreadable }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        // libpq ends its array by an entry without a keyword.
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        let host = values["host"] ?? values["hostaddr"] ?? ""
        let port = values["port"] ?? ""
        let database = values["dbname"] ?? ""
        // A `/` in a password that is not percent-encoded makes a port of the password's beginning and a database's name
        // of its end; without a host, the whole password would be the port.
        guard port.allSatisfy({ $0.isWholeNumber || $0 == "," }), !host.contains("@"), !database.contains("@") else {
            throw Self.unreadable
        }
        self.url = url
        let user = values["user"].map { "\($0)@" } ?? ""
        name = "postgres://\(user)\(host)\(port.isEmpty ? "" : ":\(port)")/\(database)"
    }

    private static let unreadable = StoreError.unavailable(
        "the PostgreSQL URL of the store cannot be read: give postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTION=VALUE "
            + "with %25 for %, %2F for / and %40 for @ in the user and the password"
    )

    func told(_ error: any Error) -> StoreError? {
        (error as? PostgresFailure).map(storeError)
    }

    func damaged(_ detail: String) -> StoreError {
        .unusable(
            "the store \(name) is damaged (\(detail)): restore the database from a backup, or give another database to "
                + "count again from what the topic still has"
        )
    }

    func storeError(_ failure: PostgresFailure) -> StoreError {
        let detail = failure.message
        switch failure.sqlState ?? "" {
        case "42501":
            return .unavailable(
                "the store \(name) may not be used (\(detail)): grant this user the rights on the flow_funnels tables, and "
                    + "to make them CREATE on their schema"
            )
        case "3F000":
            return .unavailable(
                "the store \(name) has no schema to make its tables in (\(detail)): create the first schema of this user's "
                    + "search_path"
            )
        case "53100":
            return .unavailable("the store \(name) cannot grow, its disk is full: make room and start again")
        case "25006":
            return .unavailable(
                "the store \(name) may only be read (\(detail)): connect to the primary, as with "
                    + "target_session_attrs=read-write in the URL"
            )
        // Undefined or other columns, tables and types; damaged pages and indexes.
        case "42P01", "42703", "42804", "42883", "XX001", "XX002":
            return damaged(detail)
        default:
            return .unavailable("the store \(name) cannot be used now (\(detail)): check that PostgreSQL runs there")
        }
    }

    /// What is said where no connection can be made.
    func unreachable(_ failure: PostgresFailure) -> StoreError {
        .unavailable(
            "the store \(name) cannot be reached (\(failure.message)): check the host, the port, the user, the password "
                + "and the TLS settings of its URL, and that PostgreSQL runs there"
        )
    }
}
