import Foundation
import FlowProcessTestSupport

/// The disks of the phones. They can be full.
///
/// If the program may mount file systems, each phone has a small one, and a file fills it up: writes fail with
/// `ENOSPC`, as on a phone. Otherwise the phone's processes may write to no file (`RLIMIT_FSIZE`). That is stricter: a
/// process cannot even overwrite what a file already contains.
struct PhoneDisks: Sendable {
    /// Whether each phone has its own file system.
    let areMounted: Bool
    private let folder: URL

    init(phones: Int, in folder: URL, mounting: Bool) throws {
        self.folder = folder
        areMounted = mounting
        for phone in 0..<phones {
            let disk = disk(of: phone)
            try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
            guard mounting else { continue }
            try Self.run("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", disk.path)
        }
    }

    /// The method that fills the disks, for the result.
    var filling: String { areMounted ? "ENOSPC on a tmpfs" : "RLIMIT_FSIZE" }

    /// The folder of a phone's queue.
    func queue(of phone: Int) -> URL { disk(of: phone).appending(path: "queue") }

    /// Fills a disk completely.
    func fill(_ phone: Int) {
        guard areMounted else { return }
        let descriptor = open(filler(phone).path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        for size in [1 << 20, 1 << 12] {
            let zeros = [UInt8](repeating: 0, count: size)
            while write(descriptor, zeros, size) == size {}
        }
    }

    /// Frees the space on a disk.
    func free(_ phone: Int) {
        unlink(filler(phone).path)
    }

    /// Unmounts the file systems.
    func unmount(phones: Int) {
        guard areMounted else { return }
        for phone in 0..<phones { try? Self.run("umount", "-l", disk(of: phone).path) }
    }

    private func disk(of phone: Int) -> URL { folder.appending(path: "phone-\(phone)") }

    private func filler(_ phone: Int) -> URL { disk(of: phone).appending(path: "filler") }

    private static func run(_ command: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        try process.start()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw TortureFailure("\(command.joined(separator: " ")) failed: run without --mount")
        }
    }
}
