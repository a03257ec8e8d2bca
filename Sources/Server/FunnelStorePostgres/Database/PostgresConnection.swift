import CPostgreSQL

/// A connection over [libpq](https://www.postgresql.org/docs/current/libpq.html).
///
/// ```swift
/// let result = try connection.execute("SELECT version FROM flow_funnels_installs WHERE install = $1", [.bytea(id)])
/// ```
///
/// The calls block. Use a connection from one thread at a time.
final class PostgresConnection {
    let handle: OpaquePointer
    /// The names of the prepared statements by their SQL.
    private var statements: [String: String] = [:]

    /// Connects to `url`, which may contain every parameter of libpq.
    ///
    /// - Throws: ``PostgresFailure`` with libpq's message, which contains no password.
    init(_ url: String) throws {
        // The URL overrides the parameters before `dbname`, and is overridden by those after it.
        let settings = [
            ("connect_timeout", "10"),
            // A server that disappears without closing the connection is noticed within a minute.
            ("keepalives_idle", "20"), ("keepalives_interval", "10"), ("keepalives_count", "4"),
            ("tcp_user_timeout", "60000"),
            ("fallback_application_name", "flow-funnels"),
            ("dbname", url),
            ("client_encoding", "UTF8"),
        ]
        guard let handle = Self.connect(settings) else {
            throw PostgresFailure(sqlState: nil, message: "out of memory", isConnectionLost: true)
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            defer { PQfinish(handle) }
            throw PostgresFailure(sqlState: nil, message: Self.line(PQerrorMessage(handle)), isConnectionLost: true)
        }
        // By default libpq prints notices to standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        self.handle = handle
    }

    deinit {
        PQfinish(handle)
    }

    /// Whether the connection is lost.
    var isLost: Bool {
        PQstatus(handle) != CONNECTION_OK
    }

    /// Runs statements without parameters and rows.
    func run(_ sql: String) throws {
        _ = try checked(PQexec(handle, sql))
    }

    /// Runs a statement, and prepares it the first time. Parameters and results are binary.
    @discardableResult
    func execute(_ sql: String, _ parameters: [PostgresValue] = []) throws -> PostgresResult {
        let name = try prepared(sql, parameters)
        let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
        let formats = parameters.map { _ in Int32(1) }
        return try Self.withPointers(parameters[...], []) { pointers in
            try checked(PQexecPrepared(handle, name, Int32(parameters.count), pointers, lengths, formats, 1))
        }
    }

    /// Runs `body` in a transaction and commits it. Rolls it back if `body` throws, or returns `false` for `commits`.
    ///
    /// - Parameters:
    ///   - mode: the options of `BEGIN`.
    ///   - willCommit: is called right before the commit. An error that is thrown after this call leaves open whether
    ///     the server has committed.
    ///   - body: returns whether to commit, and the result of the call.
    func transaction<R>(
        _ mode: String,
        willCommit: () -> Void = {},
        _ body: () throws -> (commits: Bool, result: R)
    ) throws -> R {
        try run("BEGIN \(mode)")
        let commits: Bool
        let result: R
        do {
            (commits, result) = try body()
        } catch {
            // If the connection is lost, the server rolls back. The first error is the one to report.
            try? run("ROLLBACK")
            throw error
        }
        guard commits else {
            try run("ROLLBACK")
            return result
        }
        willCommit()
        let answer = try checked(PQexec(handle, "COMMIT"))
        guard answer.command == "COMMIT" else { throw PostgresFailure.serializationFailure }
        return result
    }

    func prepared(_ sql: String, _ parameters: [PostgresValue]) throws -> String {
        if let name = statements[sql] { return name }
        let name = "s\(statements.count)"
        let types = parameters.map(\.type.rawValue)
        _ = try checked(PQprepare(handle, name, sql, Int32(types.count), types))
        statements[sql] = name
        return name
    }

    func checked(_ result: OpaquePointer?) throws -> PostgresResult {
        guard let result else {
            throw PostgresFailure(sqlState: nil, message: Self.line(PQerrorMessage(handle)), isConnectionLost: isLost)
        }
        let status = PQresultStatus(result)
        if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK { return PostgresResult(result) }
        defer { PQclear(result) }
        // PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY and PG_DIAG_SEVERITY_NONLOCALIZED.
        let state = field("C", of: result)
        let severity = field("V", of: result)
        throw PostgresFailure(
            sqlState: state,
            message: field("M", of: result) ?? Self.line(PQresultErrorMessage(result)),
            // A server that shuts down reports it before the connection ends. An error without a state is libpq's own:
            // it could not write or read.
            isConnectionLost: isLost || state == nil || severity == "FATAL" || severity == "PANIC"
        )
    }

    private func field(_ code: Unicode.Scalar, of result: OpaquePointer) -> String? {
        PQresultErrorField(result, Int32(bitPattern: code.value)).map { Self.line($0) }
    }

    private static func connect(_ settings: [(String, String)]) -> OpaquePointer? {
        // C strings that live as long as the call, in arrays that end with a null pointer, as libpq requires.
        let texts = settings.flatMap { [$0.0, $0.1] }.map { Array($0.utf8CString) }
        func withStrings(_ rest: ArraySlice<[CChar]>, _ pointers: [UnsafePointer<CChar>?]) -> OpaquePointer? {
            guard let text = rest.first else {
                let keywords = stride(from: 0, to: pointers.count, by: 2).map { pointers[$0] } + [nil]
                let values = stride(from: 1, to: pointers.count, by: 2).map { pointers[$0] } + [nil]
                return PQconnectdbParams(keywords, values, 1)
            }
            return text.withUnsafeBufferPointer { withStrings(rest.dropFirst(), pointers + [$0.baseAddress]) }
        }
        return withStrings(texts[...], [])
    }

    // Passes the parameters' own memory to libpq, because a commit has megabytes. libpq copies it into its buffer.
    static func withPointers<R>(
        _ rest: ArraySlice<PostgresValue>,
        _ pointers: [UnsafePointer<CChar>?],
        _ body: ([UnsafePointer<CChar>?]) throws -> R
    ) rethrows -> R {
        guard let value = rest.first else { return try body(pointers) }
        guard let bytes = value.bytes else { return try withPointers(rest.dropFirst(), pointers + [nil], body) }
        return try bytes.withUnsafeBytes { buffer in
            // libpq treats a null pointer as NULL, so an empty value needs an address, too.
            let pointer = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            if let pointer { return try withPointers(rest.dropFirst(), pointers + [pointer], body) }
            return try "".withCString { try withPointers(rest.dropFirst(), pointers + [$0], body) }
        }
    }

    static func line(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "" }
        return String(cString: text).split(whereSeparator: \.isNewline)
            .map { $0.drop { $0.isWhitespace } }.joined(separator: " ")
    }
}
