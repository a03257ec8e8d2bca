/// The URL of a store: `sqlite:PATH`, or `postgres://…`.
///
/// ```swift
/// let url = try StoreURL("postgres://me:secret@db/funnels")
/// print(url)   // postgres://me:***@db/funnels
/// ```
///
/// A URL can be printed and logged: its description never has a password.
package enum StoreURL: Sendable, Hashable {
    /// The path of an SQLite file; relative to the working directory unless it is absolute.
    case sqlite(path: String)
    /// The URL of a PostgreSQL database for libpq, including any password.
    case postgres(url: String)

    /// The default store.
    package static let standard = StoreURL.sqlite(path: "funnels.sqlite")

    /// Reads a URL.
    ///
    /// - Throws: ``StoreURLError`` if it is not a store's URL.
    package init(_ text: String) throws(StoreURLError) {
        if text.hasPrefix("sqlite:") {
            let path = text.dropFirst("sqlite:".count)
            // Some tools read `sqlite://x` as a relative path, others as an absolute one. A store in memory would be lost.
            guard !path.isEmpty, !path.hasPrefix("//"), path != ":memory:" else { throw .invalidPath(String(path)) }
            // SQLite itself would take `?mode=ro` as part of the name, and make a new file.
            if let query = path.firstIndex(of: "?"), path[query...].contains("=") {
                throw .unknownParameter(Self.names(path[path.index(after: query)...])[0], known: [])
            }
            self = .sqlite(path: String(path))
        } else if let scheme = Self.postgresSchemes.first(where: text.hasPrefix), text != scheme {
            let query = text.drop { $0 != "?" }.dropFirst()
            // Not what may be a part of a password.
            if !query.contains("@"), let name = Self.names(query).first(where: { !Self.parameters.contains($0) }) {
                throw .unknownParameter(name, known: Self.parameters)
            }
            self = .postgres(url: text)
        } else {
            throw .unknownScheme
        }
    }

    /// The names of `a=b&c=d`.
    private static func names(_ query: Substring) -> [String] {
        query.split(separator: "&").map { String($0.prefix { $0 != "=" }) }
    }

    /// The parameters of libpq 15 to 18, from the documentation's "Parameter Key Words".
    private static let parameters = [
        "host", "hostaddr", "port", "dbname", "user", "password", "passfile", "require_auth", "channel_binding",
        "connect_timeout", "client_encoding", "options", "application_name", "fallback_application_name", "keepalives",
        "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout", "replication", "gssencmode",
        "sslmode", "sslnegotiation", "sslcompression", "sslcert", "sslkey", "sslkeylogfile", "sslpassword",
        "sslcertmode",
        "sslrootcert", "sslcrl", "sslcrldir", "sslsni", "requirepeer", "ssl_min_protocol_version",
        "ssl_max_protocol_version", "min_protocol_version", "max_protocol_version", "krbsrvname", "gsslib",
        "gssdelegation", "scram_client_key", "scram_server_key", "service", "target_session_attrs",
        "load_balance_hosts",
        "oauth_issuer", "oauth_client_id", "oauth_client_secret", "oauth_scope",
        // libpq takes this one for JDBC's sake.
        "ssl",
    ]

    private static let postgresSchemes = ["postgres://", "postgresql://"]
}

extension StoreURL: CustomStringConvertible {
    /// The URL without its password and its query, which may have secrets too.
    package var description: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .postgres(let url): Self.redacted(url)
        }
    }

    private static func redacted(_ url: String) -> String {
        let scheme = postgresSchemes.first(where: url.hasPrefix) ?? ""
        let body = url.dropFirst(scheme.count)
        let authority = body.prefix { !"/?#".contains($0) }
        let rest = body.dropFirst(authority.count)
        let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
        // With a second `@` it is unclear where the password ends.
        guard parts.count <= 2, !rest.contains("@") else { return "\(scheme)***" }
        let path = rest.prefix { !"?#".contains($0) }
        guard parts.count == 2 else { return "\(scheme)\(authority)\(path)" }
        let user = parts[0].prefix { $0 != ":" }
        let password = user.count < parts[0].count ? ":***" : ""
        return "\(scheme)\(user)\(password)@\(parts[1])\(path)"
    }
}

/// Why a text is not a store's URL. It does not show the text, which may include a password.
package enum StoreURLError: Error, Sendable, Hashable {
    /// The text does not begin with `sqlite:`, `postgres://` or `postgresql://`.
    case unknownScheme
    /// The path of an SQLite file is missing, begins with `//`, or is `:memory:`.
    case invalidPath(String)
    /// The URL has a parameter that its store does not have.
    case unknownParameter(String, known: [String])
}

extension StoreURLError: CustomStringConvertible {
    /// What was expected.
    package var description: String {
        switch self {
        case .unknownScheme:
            "expected a store as sqlite:PATH or postgres://USER@HOST/DATABASE"
        case .invalidPath(let path):
            "expected a file after sqlite:, as in sqlite:funnels.sqlite or sqlite:/var/lib/funnels.sqlite, "
                + "found '\(path)'"
        case .unknownParameter(let name, let known):
            known.isEmpty
                ? "sqlite: takes no parameters, found '\(name)': give the path alone"
                : "unknown parameter '\(name)' of a postgres: URL\(Self.suggestion(for: name, among: known))"
        }
    }
}

extension StoreURLError {
    private static func suggestion(for name: String, among known: [String]) -> String {
        let short = name.lowercased().filter { $0.isLetter }
        let near =
            known.first { $0.filter(\.isLetter) == short } ?? known.first { $0.hasPrefix(name) || name.hasPrefix($0) }
        return near.map { ": did you mean '\($0)'?" }
            ?? ": it takes those of libpq, such as sslmode and connect_timeout"
    }
}
