import Foundation
import FunnelStore
import GRDB
import GRDBSQLite

/// A connection that only reads, and creates no file unless it must.
///
/// It does not use GRDB, which cannot open a file by a URI. The URI is needed to read a store that nobody has open from
/// a directory without write permission.
final class ReadOnlyConnection {
    let handle: OpaquePointer
    private let location: SQLiteStoreLocation
    private let before: FileState?

    /// Opens the file.
    ///
    /// - Throws: `StoreError` with `StoreError.Code.missing` if there is no file, and SQLite's errors.
    init(_ location: SQLiteStoreLocation, busyTimeout: Duration) throws {
        self.location = location
        guard let state = try FileState(location.path, of: location) else {
            throw location.noStore
        }
        // If nobody has the store open, all of it is in one file. Reading it as immutable does not create -wal and
        // -shm. Whether somebody wrote the file meanwhile is checked after reading.
        let isAtRest = try ["-wal", "-journal"].allSatisfy { suffix in
            try FileState(location.path + suffix, of: location).map { $0.size == 0 } ?? true
        }
        before = isAtRest ? state : nil
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "/-._~"))
        let escaped = location.path.addingPercentEncoding(withAllowedCharacters: plain)
        let uri = "file://\(escaped ?? location.path)" + (isAtRest ? "?immutable=1" : "")
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(uri, &connection, flags, nil)
        guard code == SQLITE_OK, let connection else {
            sqlite3_close(connection)
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        handle = connection
        sqlite3_busy_timeout(connection, Int32(clamping: Int64(busyTimeout / .milliseconds(1))))
    }

    deinit {
        sqlite3_close(handle)
    }

    /// Runs `body` in one read transaction.
    func withTransaction<R>(_ body: () throws -> R) throws -> R {
        try SQLiteStatement(handle, "BEGIN").run()
        // A read transaction has nothing to commit, so a failure to end it does not matter.
        defer { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
        // Checked also after an error: a page that changed while it was read looks damaged.
        let result = Result { try body() }
        if let before, try FileState(location.path, of: location) != before {
            throw StoreError.unavailable("the store \(location.name) was changed while it was read: try again")
        }
        return try result.get()
    }
}

/// The properties of a file that change when it is written.
private struct FileState: Equatable {
    let size: Int
    private let inode: UInt64
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the properties; `nil` if there is no such file.
    init?(_ path: String, of location: SQLiteStoreLocation) throws {
        var state = stat()
        guard stat(path, &state) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw StoreError.unavailable(
                "the store \(location.name) cannot be opened (\(String(cString: strerror(errno)))): check that this user may "
                    + "read its directory"
            )
        }
        size = Int(state.st_size)
        inode = UInt64(state.st_ino)
        #if canImport(Darwin)
        let modified = state.st_mtimespec
        #else
        let modified = state.st_mtim
        #endif
        seconds = modified.tv_sec
        nanoseconds = modified.tv_nsec
    }
}
