import Foundation
import FunnelStore
import GRDB

/// Where a store is, and how its errors are told.
struct StorePlace: StoreErrorTelling, Sendable {
    /// The path as it was given, for people.
    let name: String
    /// The absolute path without links: one file has one, however it was given, and SQLite never takes it for a URI or
    /// for `:memory:`.
    let path: String

    init(_ name: String) {
        self.name = name
        let absolute = URL(fileURLWithPath: name).standardizedFileURL
        // The file may not exist yet; its directory does, or it cannot be opened anyway.
        let directory = absolute.deletingLastPathComponent().resolvingSymlinksInPath()
        path = directory.appendingPathComponent(absolute.lastPathComponent).resolvingSymlinksInPath().path
    }

    func told(_ error: any Error) -> StoreError? {
        (error as? DatabaseError).map(storeError)
    }

    func damaged(_ detail: String) -> StoreError {
        .unusable(
            "the store \(name) is damaged (\(detail)): restore it from a backup, or move it away to count again from "
                + "what the topic still has"
        )
    }

    func storeError(_ error: DatabaseError) -> StoreError {
        let detail = error.message ?? "\(error.resultCode)"
        switch error.resultCode.primaryResultCode {
        case .SQLITE_NOTADB:
            return .unusable("\(name) is no funnel store (\(detail)): give another --store, or move the file away")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return .unavailable(
                "the store \(name) is locked by another program: close what has it open, an SQLite shell or a backup, "
                    + "and start again"
            )
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            return .unavailable(
                "the store \(name) may not be written (\(detail)): give this user the right to write the file and its "
                    + "directory"
            )
        case .SQLITE_CANTOPEN:
            return .unavailable(
                "the store \(name) cannot be opened (\(detail)): check that its directory exists and that this user may "
                    + "read and write both"
            )
        case .SQLITE_FULL:
            return .unavailable("the store \(name) cannot grow, its disk is full: make room and start again")
        case .SQLITE_IOERR:
            return .unavailable("the store \(name) cannot be read or written (\(detail)): check its disk")
        // MISUSE is GRDB's answer where the store was closed.
        case .SQLITE_NOMEM, .SQLITE_TOOBIG, .SQLITE_PROTOCOL, .SQLITE_INTERRUPT, .SQLITE_MISUSE:
            return .unavailable("the store \(name) cannot be used now (\(detail))")
        default:
            // The file says that it is ours, but its tables do not answer as ours do.
            return damaged(detail)
        }
    }
}
