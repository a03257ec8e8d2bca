import Foundation
import FunnelStore
import GRDB
import GRDBSQLite

/// A connection that only reads, and makes no file where it can do without.
///
/// Not GRDB's: that cannot give SQLite the URI by which a store that nobody has open is read from a directory that may
/// not be written.
final class ReportConnection {
    let handle: OpaquePointer
    private let place: StorePlace
    private let before: FileState?

    /// - Throws: ``StoreError/missing(_:)`` where there is no file, and SQLite's errors.
    init(_ place: StorePlace, busyTimeout: Duration) throws {
        self.place = place
        guard let state = try FileState(place.path, of: place) else {
            throw StoreError.none(at: place.name)
        }
        // A store at rest is all in its one file. Reading it as immutable needs no -wal and no -shm, which would be made
        // otherwise; whether it stayed at rest is checked afterward.
        let isAtRest = try ["-wal", "-journal"].allSatisfy { suffix in
            try FileState(place.path + suffix, of: place).map { $0.size == 0 } ?? true
        }
        before = isAtRest ? state : nil
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "/-._~"))
        let escaped = place.path.addingPercentEncoding(withAllowedCharacters: plain)
        let uri = "file://\(escaped ?? place.path)" + (isAtRest ? "?immutable=1" : "")
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
        try StoreStatement(handle, "BEGIN").run()
        // It has changed nothing, so that ending it either way is the same; a failure to do so has nothing to say.
        defer { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
        let result = try body()
        if let before, try FileState(place.path, of: place) != before {
            throw StoreError.unavailable("the store \(place.name) was changed while it was read: run the report again")
        }
        return result
    }
}

/// By what one sees that a file was written.
private struct FileState: Equatable {
    let size: Int
    private let inode: UInt64
    private let seconds: Int
    private let nanoseconds: Int

    /// `nil` where there is no such file.
    init?(_ path: String, of place: StorePlace) throws {
        var state = stat()
        guard stat(path, &state) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw StoreError.unavailable(
                "the store \(place.name) cannot be opened (\(String(cString: strerror(errno)))): check that this user may "
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
