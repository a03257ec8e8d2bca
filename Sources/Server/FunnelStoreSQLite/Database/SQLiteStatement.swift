import GRDB
import GRDBSQLite

/// A prepared statement over SQLite's C interface.
///
/// GRDB's statements belong to its connections, and a report needs one that GRDB cannot open, see ``ReportConnection``;
/// with this one the consumer and the report share their queries, and bytes are bound and lent without a copy. It writes
/// rows about as fast as GRDB's.
struct StoreStatement: ~Copyable {
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

    /// Binds a number, or null, to a parameter, counted from 1.
    func bind(_ value: Int64?, at index: Int32) throws {
        if let value {
            try check(sqlite3_bind_int64(handle, index, value))
        } else {
            try check(sqlite3_bind_null(handle, index))
        }
    }

    /// Binds bytes to a parameter, counted from 1, for as long as `body` runs. They are not copied.
    @discardableResult
    func withBlob<R>(_ bytes: [UInt8], at index: Int32, _ body: () throws -> R) throws -> R {
        try bytes.withUnsafeBytes { buffer in
            // An empty array may have no address, which SQLite would take for null.
            if buffer.isEmpty {
                try check(sqlite3_bind_zeroblob(handle, index, 0))
            } else {
                // No destructor is SQLITE_STATIC: the bytes stand still until `body` returns, and a statement is never
                // stepped again before its parameters are bound anew.
                try check(sqlite3_bind_blob64(handle, index, buffer.baseAddress, UInt64(buffer.count), nil))
            }
            return try body()
        }
    }

    /// Runs a statement that has no rows, and makes it ready to be bound again.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    func run() throws -> Int {
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE else { throw failure(code) }
        let changes = sqlite3_changes(connection)
        sqlite3_reset(handle)
        return Int(changes)
    }

    /// Calls `body` for each row, and makes the statement ready to be bound again.
    func forEachRow(_ body: (borrowing StoreRow) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try body(StoreRow(handle: handle))
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

/// The row that a statement stands at, valid until the statement moves on; columns are counted from 0.
struct StoreRow: ~Copyable {
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

    /// SQLite's own memory, valid as long as the row.
    func borrowedBytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // In this order: asking for the bytes may convert the value, which settles their number.
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

extension DatabaseError {
    /// What `connection` says about the call that just returned `code`.
    static func last(of connection: OpaquePointer, _ code: Int32) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
    }
}
