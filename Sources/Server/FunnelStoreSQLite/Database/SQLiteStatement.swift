import GRDB
import GRDBSQLite

/// A prepared statement over SQLite's C interface.
///
/// ```swift
/// let statement = try SQLiteStatement(connection, "SELECT version FROM installs WHERE install = ?")
/// try statement.withBlob(install, at: 1) {
///     try statement.forEachRow { row in print(row.integer(0)) }
/// }
/// ```
///
/// GRDB's statements need a GRDB connection, and a report needs a connection that GRDB cannot open, see
/// ``ReadOnlyConnection``. With this type the consumer and the report share their queries. It binds and reads bytes
/// without a copy, and writes rows about as fast as GRDB.
struct SQLiteStatement: ~Copyable {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    /// Prepares `sql` on `connection`, which must outlive the statement.
    init(_ connection: OpaquePointer, _ sql: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &handle, nil)
        guard code == SQLITE_OK, let handle else { throw DatabaseError.last(of: connection, code) }
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds a number or null to a parameter. The first parameter has the index 1.
    func bind(_ value: Int64?, at index: Int32) throws {
        if let value {
            try check(sqlite3_bind_int64(handle, index, value))
        } else {
            try check(sqlite3_bind_null(handle, index))
        }
    }

    /// Binds bytes to a parameter while `body` runs, without a copy. The first parameter has the index 1.
    @discardableResult
    func withBlob<R>(_ bytes: [UInt8], at index: Int32, _ body: () throws -> R) throws -> R {
        try bytes.withUnsafeBytes { buffer in
            // An empty array may have no address, which SQLite treats as null.
            if buffer.isEmpty {
                try check(sqlite3_bind_zeroblob(handle, index, 0))
            } else {
                // A nil destructor means SQLITE_STATIC: the bytes must not move while SQLite may read them. They stay
                // until `body` returns, and the statement is not run again before new parameters are bound.
                try check(sqlite3_bind_blob64(handle, index, buffer.baseAddress, UInt64(buffer.count), nil))
            }
            return try body()
        }
    }

    /// Runs a statement without rows, and resets it for the next parameters.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    func run() throws -> Int {
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE else { throw failure(code) }
        let changes = sqlite3_changes(connection)
        sqlite3_reset(handle)
        return Int(changes)
    }

    /// Calls `body` with each row, and resets the statement for the next parameters.
    ///
    /// - Parameter isWanted: whether to go on with another row, if there is one.
    func forEachRow(while isWanted: () -> Bool = { true }, _ body: (borrowing SQLiteRow) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        while isWanted() {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try body(SQLiteRow(handle: handle))
            case SQLITE_DONE: return
            case let code: throw DatabaseError.last(of: connection, code)
            }
        }
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        let error = DatabaseError.last(of: connection, code)
        sqlite3_reset(handle)
        return error
    }
}

/// The current row of a statement, valid until the next row. The first column has the index 0.
struct SQLiteRow: ~Copyable {
    fileprivate let handle: OpaquePointer

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func optionalInteger(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(column)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        Array(borrowedBytes(column))
    }

    func text(_ column: Int32) -> String {
        String(decoding: borrowedBytes(column), as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : text(column)
    }

    /// Returns SQLite's own memory, which is valid as long as the row.
    func borrowedBytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // In this order: sqlite3_column_blob may convert the value, which can change the number of bytes.
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

extension DatabaseError {
    /// Returns the error of the call on `connection` that just returned `code`.
    static func last(of connection: OpaquePointer, _ code: Int32) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
    }
}
