import Foundation
import FunnelStore
import GRDB

/// The file of a store. It turns SQLite's errors into `StoreError`s.
struct SQLiteStoreLocation: StoreLocation {
    /// The path as the user gave it.
    let name: String
    /// The absolute path without symbolic links. Each file has exactly one, and SQLite never mistakes it for a URI or
    /// for `:memory:`.
    let path: String

    init(_ name: String) {
        self.name = name
        let absolute = URL(fileURLWithPath: name).standardizedFileURL
        // The file may not exist yet. Its directory must exist, or the file cannot be opened at all.
        let directory = absolute.deletingLastPathComponent().resolvingSymlinksInPath()
        path = directory.appendingPathComponent(absolute.lastPathComponent).resolvingSymlinksInPath().path
    }

    /// Checks that the path is not a directory, which SQLite would report as an error of the disk.
    func refuseDirectory() throws(StoreError) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
            return
        }
        throw .unusable("\(name) is a directory: name a file in it, such as \(name)/funnels.sqlite")
    }

    func storeError(for error: any Error) -> StoreError? {
        (error as? DatabaseError).map(storeError)
    }

    func damaged(_ detail: String) -> StoreError {
        .unusable(
            "the store \(name) is damaged (\(detail)): restore it from a backup, or move it away to count again from "
                + "what the topic still has"
        )
    }

    private func storeError(_ error: DatabaseError) -> StoreError {
        let detail = error.message ?? "\(error.resultCode)"
        switch error.resultCode.primaryResultCode {
        case .SQLITE_NOTADB:
            return .unusable("\(name) is no funnel store (\(detail)): use another store, or move the file away")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return .unavailable(
                "the store \(name) is locked by another program: close what has it open, an SQLite shell or a backup, "
                    + "and start again"
            )
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            return .unavailable(
                "the store \(name) may not be written (\(detail)): let this user write the file and its directory"
            )
        case .SQLITE_CANTOPEN:
            return .unavailable(
                "the store \(name) cannot be opened (\(detail)): check that its directory exists and that this user may "
                    + "read and write both"
            )
        case .SQLITE_FULL:
            return fullDisk
        case .SQLITE_IOERR:
            return .unavailable("the store \(name) cannot be read or written (\(detail)): check its disk")
        // GRDB throws MISUSE after the store was closed.
        case .SQLITE_NOMEM, .SQLITE_TOOBIG, .SQLITE_PROTOCOL, .SQLITE_INTERRUPT, .SQLITE_MISUSE:
            return .unavailable("the store \(name) cannot be used now (\(detail)): start again")
        default:
            // The file's header is that of a store, but its tables are not.
            return damaged(detail)
        }
    }
}
