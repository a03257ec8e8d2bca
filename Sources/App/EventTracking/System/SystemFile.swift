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

    /// Whether the same may succeed later without anybody changing the path or its rights.
    var isTransient: Bool {
        [ENOSPC, EDQUOT, EIO, EINTR, EAGAIN, EMFILE, ENFILE, ENOMEM].contains(code)
    }
}

/// An open file. Foundation's file handles can neither say which error occurred on Linux nor flush a folder.
final class SystemFile {
    private let path: String
    private let descriptor: Int32

    /// What a file is opened for.
    enum Access {
        case reading
        /// Begins empty.
        case replacing
        /// Begins empty where there is none; every write goes to the end.
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

    /// Opens a file, which only its owner may read when it is new.
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

    func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The system call takes a pointer; it does not outlive the call.
            let count = rest.withUnsafeBytes { writeOnce(descriptor, $0) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("write", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Up to `count` bytes from `offset` on; fewer only at the end of the file.
    func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            // The system call takes a pointer; it does not outlive the call.
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

// `write` alone would be the method of the class.
private func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension SystemFile {
    /// The first `limit` bytes of a file; `nil` where there is none.
    static func contents(ofFileAt path: String, limit: Int) throws(SystemError) -> [UInt8]? {
        do {
            return try SystemFile(path: path, for: .reading).read(limit, at: 0)
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// Puts `bytes` in the place of what is in a file, such that a crash leaves the one or the other, whole.
    static func replace(fileAt path: String, with bytes: [UInt8]) throws(SystemError) {
        let new = "\(path).new"
        let file = try SystemFile(path: new, for: .replacing)
        try file.write(bytes)
        try file.synchronize()
        try rename(new, to: path)
    }

    /// Renames a file and flushes its folder, without which a power failure could undo it.
    static func rename(_ path: String, to destination: String) throws(SystemError) {
        guard renameFile(path, destination) == 0 else { throw SystemError("rename", path) }
        let folder = destination.lastIndex(of: "/").map { String(destination[...$0]) } ?? "."
        try SystemFile(path: folder, for: .folder).synchronize()
    }
}

// `rename` alone would be the method of the class.
private func renameFile(_ path: String, _ destination: String) -> Int32 {
    rename(path, destination)
}
