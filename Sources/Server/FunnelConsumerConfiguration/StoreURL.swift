/// Which store the funnels are kept in: `sqlite:PATH`, or `postgres://…`.
///
/// A value can be printed and logged: its description never has a password.
public enum StoreURL: Sendable, Hashable {
    /// A SQLite file, by its path; relative to the working directory unless it is absolute.
    case sqlite(path: String)
    /// A PostgreSQL database, by the whole URL, with whatever secrets it has, as libpq reads it.
    case postgres(url: String)

    /// Where the funnels are kept unless something else is configured.
    public static let standard = StoreURL.sqlite(path: "funnels.sqlite")

    /// Reads a URL.
    ///
    /// - Throws: ``StoreURLError`` where it is neither form.
    public init(_ text: String) throws(StoreURLError) {
        if text.hasPrefix("sqlite:") {
            let path = text.dropFirst("sqlite:".count)
            // `sqlite://x` means a relative path to some tools and an absolute one to others; memory ends with us.
            guard !path.isEmpty, !path.hasPrefix("//"), path != ":memory:" else { throw .invalidPath(String(path)) }
            self = .sqlite(path: String(path))
        } else if let scheme = Self.postgresSchemes.first(where: text.hasPrefix), text != scheme {
            self = .postgres(url: text)
        } else {
            throw .unknownScheme
        }
    }

    private static let postgresSchemes = ["postgres://", "postgresql://"]
}

extension StoreURL: CustomStringConvertible {
    /// The URL without its password and its query, which may hold secrets too.
    public var description: String {
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
        // Where a second `@` stands, nobody knows where the password ends.
        guard parts.count <= 2, !rest.contains("@") else { return "\(scheme)***" }
        let path = rest.prefix { !"?#".contains($0) }
        guard parts.count == 2 else { return "\(scheme)\(authority)\(path)" }
        let user = parts[0].prefix { $0 != ":" }
        let password = user.count < parts[0].count ? ":***" : ""
        return "\(scheme)\(user)\(password)@\(parts[1])\(path)"
    }
}

/// Why a text is not a store's URL. It says nothing of the text, which may have a password in it.
public enum StoreURLError: Error, Sendable, Hashable {
    /// It begins neither with `sqlite:` nor with `postgres://` or `postgresql://`.
    case unknownScheme
    /// The path of a SQLite file is missing, begins with `//`, or means memory.
    case invalidPath(String)
}

extension StoreURLError: CustomStringConvertible {
    /// What was expected.
    public var description: String {
        switch self {
        case .unknownScheme:
            "expected a store as sqlite:PATH or postgres://USER@HOST/DATABASE"
        case .invalidPath(let path):
            "expected a file after sqlite:, as in sqlite:funnels.sqlite or sqlite:/var/lib/funnels.sqlite, "
                + "found '\(path)'"
        }
    }
}
