import Foundation

/// Standard output: what was asked for, and nothing else.
public enum StandardOutput {
    /// Writes the whole text.
    ///
    /// - Throws: ``CommandFailure`` with ``Sysexits/ioError``, such as on a full disk. A closed pipe ends the process
    ///   by SIGPIPE, as it does every filter.
    public static func write(_ text: String) throws(CommandFailure) {
        guard writeAll(text, to: STDOUT_FILENO) else {
            throw CommandFailure(.ioError, "cannot write to standard output: \(String(cString: strerror(errno)))")
        }
    }
}

/// Standard error: logs, progress and what went wrong.
public enum StandardError {
    /// Writes the whole text where it can be written; there is nowhere else to say that it cannot.
    public static func write(_ text: String) {
        _ = writeAll(text, to: STDERR_FILENO)
    }
}

// Straight to the descriptor: `FileHandle.write` ends the process with a trap where writing fails.
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
