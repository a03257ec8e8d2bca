import Foundation

/// The names in a queue's folder.
///
/// The queue is the file `queue-N.sqlite` with the highest N. A damaged file is never renamed: SQLite finds and deletes
/// its log by name, so another process that still has the file open would take away the log of the file that came in
/// its place. It stays, and the next number begins; a process that sees a higher number than its own moves on.
struct QueueFolder: Sendable {
    let path: String

    /// The file of a number.
    func file(_ number: Int) -> String { "\(path)/queue-\(number).sqlite" }

    /// Its existence means that tracking is switched off. Beside the database, so that damage to that does not switch
    /// tracking on again.
    var optOutMarker: String { "\(path)/opted-out" }

    /// The numbers there are, in their order.
    func numbers() -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { name in
            guard name.hasPrefix("queue-"), name.hasSuffix(".sqlite") else { return nil }
            return Int(name.dropFirst(6).dropLast(7))
        }.sorted()
    }

    func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Makes the folder where there is none.
    func make() -> Int32 {
        if exists(path) { return 0 }
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            return errno == 0 ? EACCES : errno
        }
        #if os(iOS)
        // Events are tracked also while the device is locked. The files inherit the folder's class.
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
            ofItemAtPath: path
        )
        #endif
        return 0
    }

    /// Makes an empty file that only its owner may use, where there is none; SQLite gives its log the same rights.
    ///
    /// - Returns: 0, or the value of `errno`.
    func makeFile(_ path: String) -> Int32 {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno }
        Foundation.close(descriptor)
        return 0
    }

    /// Deletes the files before a number.
    func deleteFiles(before number: Int) {
        for old in numbers() where old < number {
            for suffix in ["", "-wal", "-shm"] { unlink(file(old) + suffix) }
        }
    }
}
