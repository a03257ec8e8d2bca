import Foundation

/// Standard output: only the result that the user asked for.
package enum StandardOutput {
    /// Writes the whole text.
    ///
    /// - Throws: ``CommandFailure`` with ``Sysexits/ioError``, such as for a full disk. A closed pipe ends the process by
    ///   SIGPIPE, as it ends other filters.
    package static func write(_ text: String) throws(CommandFailure) {
        guard writeAll(text, to: STDOUT_FILENO) else {
            throw CommandFailure(.ioError, "cannot write to standard output: \(String(cString: strerror(errno)))")
        }
    }
}

/// Standard error: logs, progress and errors.
package enum StandardError {
    /// Writes the whole text. A failure is ignored, because there is no other stream to report it to.
    package static func write(_ text: String) {
        _ = writeAll(text, to: STDERR_FILENO)
    }
}

// Writes to the descriptor, because `FileHandle.write` traps if writing fails.
private func writeAll(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return false }
        rest = rest.dropFirst(written)
    }
    return true
}
