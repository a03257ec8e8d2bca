import Foundation

/// The files in a queue's folder.
///
/// The queue is the file `queue-N.sqlite` with the highest N. A damaged file is never renamed, because SQLite finds and
/// deletes the write-ahead log by its name: another process that still has the file open would delete the log of the new
/// file. Instead the damaged file stays, and the next number is used. A process that finds a higher number than its own
/// changes to that file.
struct QueueFolder: Sendable {
    let path: String

    /// Returns the path of a file.
    func file(_ number: Int) -> String { "\(path)/queue-\(number).sqlite" }

    /// The file whose existence means that tracking is off. It is not in the database, so that a damaged database does not
    /// switch tracking on again.
    var optOutMarker: String { "\(path)/opted-out" }

    /// The file whose existence means that the user has agreed to tracking.
    var consentMarker: String { "\(path)/consented" }

    /// Returns the numbers of the existing files, in ascending order.
    func numbers() -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { name in
            guard name.hasPrefix("queue-"), name.hasSuffix(".sqlite") else { return nil }
            return Int(name.dropFirst(6).dropLast(7))
        }.sorted()
    }

    func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Creates the folder if it does not exist.
    ///
    /// - Returns: 0, or the value of `errno`.
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
        // Events are also tracked while the device is locked. The files inherit the protection of the folder.
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
            ofItemAtPath: path
        )
        // A phone that is restored from a backup must not share its identity with the old one.
        var folder = URL(fileURLWithPath: path, isDirectory: true)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? folder.setResourceValues(values)
        #endif
        return 0
    }

    /// Creates an empty file that only its owner may use, if it does not exist. SQLite gives its log the same permissions.
    ///
    /// - Returns: 0, or the value of `errno`.
    func makeFile(_ path: String) -> Int32 {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno }
        Foundation.close(descriptor)
        return 0
    }

    /// Deletes a file, if it exists.
    ///
    /// - Returns: 0, or the value of `errno`.
    func remove(_ path: String) -> Int32 {
        unlink(path) == 0 || errno == ENOENT ? 0 : errno
    }

    /// Deletes the files with lower numbers.
    func deleteFiles(before number: Int) {
        for old in numbers() where old < number {
            for suffix in ["", "-wal", "-shm"] { unlink(file(old) + suffix) }
        }
    }
}
