import Foundation
import FlowProcessTestSupport

/// The disks of the phones, which can be full.
///
/// Where a file system may be mounted each phone has a small one of its own, and a file fills it up: writes end with
/// `ENOSPC`, as on a phone. Elsewhere its processes may write nothing (`RLIMIT_FSIZE`), which is harder on them: also
/// what has its place in a file already cannot be written again.
struct PhoneDisks: Sendable {
    /// Whether each phone has a file system of its own.
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

    /// How disks are filled, in words.
    var filling: String { areMounted ? "ENOSPC on a tmpfs" : "RLIMIT_FSIZE" }

    /// Where a phone's queue is.
    func queue(of phone: Int) -> URL { disk(of: phone).appending(path: "queue") }

    /// Fills a disk to the last page.
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

    /// Makes room again.
    func free(_ phone: Int) {
        unlink(filler(phone).path)
    }

    /// Gives the file systems back.
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
