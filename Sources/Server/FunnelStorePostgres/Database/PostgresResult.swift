import CPostgreSQL

/// The result of a statement, in binary form. The first row and the first column have the index 0.
///
/// The statement determines the type of each column. Reading a column as another type is a mistake in this module.
final class PostgresResult {
    private let handle: OpaquePointer

    /// Takes ownership of `handle`.
    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    var rowCount: Int {
        Int(PQntuples(handle))
    }

    /// The first value of the first row, of a result as text; `nil` where there is none.
    var firstText: String? {
        guard rowCount > 0, PQgetisnull(handle, 0, 0) == 0, let value = PQgetvalue(handle, 0, 0) else { return nil }
        return String(cString: value)
    }

    /// The number of rows that the statement changed.
    var changeCount: Int {
        Int(String(cString: PQcmdTuples(handle))) ?? 0
    }

    /// The command that the server reports to have run, such as `COMMIT`.
    var command: String {
        String(cString: PQcmdStatus(handle))
    }

    func integer(_ row: Int, _ column: Int32) -> Int64 {
        let bytes = borrowedBytes(row, column)
        // For int4 and int8: the sign is in the first byte.
        return bytes.dropFirst().reduce(Int64(Int8(bitPattern: bytes.first ?? 0))) { $0 << 8 | Int64($1) }
    }

    func optionalInteger(_ row: Int, _ column: Int32) -> Int64? {
        PQgetisnull(handle, Int32(row), column) == 1 ? nil : integer(row, column)
    }

    func bool(_ row: Int, _ column: Int32) -> Bool {
        integer(row, column) != 0
    }

    func bytes(_ row: Int, _ column: Int32) -> [UInt8] {
        Array(borrowedBytes(row, column))
    }

    func text(_ row: Int, _ column: Int32) -> String {
        String(decoding: borrowedBytes(row, column), as: UTF8.self)
    }

    func optionalText(_ row: Int, _ column: Int32) -> String? {
        PQgetisnull(handle, Int32(row), column) == 1 ? nil : text(row, column)
    }

    /// Returns libpq's own memory, which is valid as long as the result.
    func borrowedBytes(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(handle, Int32(row), column),
            count: Int(PQgetlength(handle, Int32(row), column))
        )
    }
}
