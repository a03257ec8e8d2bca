#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A failed system call.
struct SystemError: Error, CustomStringConvertible {
    let operation: String
    let path: String
    /// The value of `errno`.
    let code: Int32

    init(_ operation: String, _ path: String, code: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    var description: String { "\(operation) \(path): \(String(cString: strerror(code)))" }

    /// Whether a later call may succeed although the path and its permissions stay the same.
    var isTransient: Bool {
        [ENOSPC, EDQUOT, EIO, EINTR, EAGAIN, EMFILE, ENFILE, ENOMEM].contains(code)
    }
}

/// An open file. On Linux, Foundation's file handles do not report the error code, and cannot flush a folder.
final class SystemFile {
    private let path: String
    private let descriptor: Int32

    /// How a file is opened.
    enum Access {
        case reading
        /// For writing, from an empty file.
        case replacing
        /// For reading, and for writing at the end. Creates the file if necessary.
        case appending
        case folder

        fileprivate var flags: Int32 {
            switch self {
            case .reading: O_RDONLY
            case .replacing: O_WRONLY | O_CREAT | O_TRUNC
            case .appending: O_RDWR | O_CREAT | O_APPEND
            case .folder: O_RDONLY | O_DIRECTORY
            }
        }
    }

    /// Opens a file. Only the owner may read a new file.
    init(path: String, for access: Access) throws(SystemError) {
        self.path = path
        descriptor = open(path, access.flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("open", path) }
    }

    deinit {
        close(descriptor)
    }

    func size() throws(SystemError) -> Int {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0 else { throw SystemError("seek", path) }
        return Int(size)
    }

    func truncate(to size: Int) throws(SystemError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw SystemError("truncate", path) }
    }

    func synchronize() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError("fsync", path) }
    }

    /// Flushes the file to the disk's medium, so that it survives a power failure.
    ///
    /// On Apple's platforms `fsync` ends when the disk has the bytes, which may still be in its cache. `F_FULLFSYNC` empties
    /// the cache, which takes longer. So it is for the few files that must not go back, not for each batch of events.
    func synchronizeFully() throws(SystemError) {
        #if canImport(Darwin)
        // A volume that does not know it, such as one on a network, does what it can.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try synchronize()
    }

    func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The system call needs a pointer, which does not outlive the call.
            let count = rest.withUnsafeBytes { writeOnce(descriptor, $0) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("write", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads `count` bytes at `offset`; fewer only at the end of the file.
    func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            // The system call needs a pointer, which does not outlive the call.
            let read = bytes.withUnsafeMutableBytes {
                pread(
                    descriptor,
                    UnsafeMutableRawBufferPointer(rebasing: $0[filled...]).baseAddress,
                    count - filled,
                    off_t(offset + filled)
                )
            }
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { throw SystemError("read", path) }
            guard read > 0 else { break }
            filled += read
        }
        return Array(bytes.prefix(filled))
    }
}

// Inside the class, `write` would be its method.
private func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension SystemFile {
    /// Reads the first `limit` bytes of a file; `nil` if the file does not exist.
    static func contents(ofFileAt path: String, limit: Int) throws(SystemError) -> [UInt8]? {
        do {
            return try SystemFile(path: path, for: .reading).read(limit, at: 0)
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// Replaces the content of a file. A crash leaves either the old content or the new one.
    static func replace(fileAt path: String, with bytes: [UInt8]) throws(SystemError) {
        let new = "\(path).new"
        let file = try SystemFile(path: new, for: .replacing)
        try file.write(bytes)
        try file.synchronizeFully()
        try rename(new, to: path)
    }

    /// Renames a file and flushes its folder, because otherwise a power failure could undo it.
    static func rename(_ path: String, to destination: String) throws(SystemError) {
        guard renameFile(path, destination) == 0 else { throw SystemError("rename", path) }
        let folder = destination.lastIndex(of: "/").map { String(destination[...$0]) } ?? "."
        try SystemFile(path: folder, for: .folder).synchronizeFully()
    }
}

// Inside the class, `rename` would be its method.
private func renameFile(_ path: String, _ destination: String) -> Int32 {
    rename(path, destination)
}
