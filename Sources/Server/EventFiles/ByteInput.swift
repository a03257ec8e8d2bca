import Foundation

/// The bytes of a file or of standard input, as they are.
final class ByteInput {
    /// The name for messages.
    let name: String
    /// The size of a regular file; `nil` for a pipe, whose size nobody knows.
    let size: Int64?
    /// The number of bytes that were read.
    private(set) var position: Int64 = 0
    private let descriptor: Int32
    private let ownsDescriptor: Bool

    /// Opens a file; `-` is standard input.
    init(path: String) throws(EventFileError) {
        ownsDescriptor = path != "-"
        name = ownsDescriptor ? path : "standard input"
        descriptor = ownsDescriptor ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
        guard descriptor >= 0 else {
            throw EventFileError(
                code: .unreadable,
                message: "\(path) cannot be opened: \(String(cString: strerror(errno)))"
            )
        }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        size = isKnown && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
        guard !isKnown || status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw EventFileError(
                code: .unreadable,
                message: "\(path) is a folder: name the files in it, such as \(path)/*.ndjson.gz"
            )
        }
    }

    deinit { if ownsDescriptor { close(descriptor) } }

    /// Reads the next bytes.
    ///
    /// - Returns: how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(EventFileError) -> Int {
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw EventFileError(
                    code: .unreadable,
                    message: "\(name) cannot be read: \(String(cString: strerror(errno)))"
                )
            }
            position += Int64(count)
            return count
        }
    }
}
