import Foundation

/// A file with one text a line, such as a list of installs.
///
/// ```swift
/// let installs = try ListFile.lines(of: "installs.txt", option: "--installs-from", failure: .usage)
/// ```
package enum ListFile {
    /// Reads the lines that are not empty. A byte order mark is no part of the first one.
    ///
    /// - Parameters:
    ///   - path: the path of the file; `-` for standard input.
    ///   - option: the option that names the file. The message of an error begins with it.
    ///   - failure: the exit code of an error.
    /// - Throws: ``CommandFailure`` where the file cannot be read, or where a line is not UTF-8.
    package static func lines(
        of path: String,
        option: String,
        failure: Sysexits
    ) throws(CommandFailure) -> [String] {
        let bytes: Data
        do {
            let handle = try path == "-" ? .standardInput : FileHandle(forReadingFrom: URL(filePath: path))
            bytes = try handle.readToEnd() ?? Data()
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let reason = cause?.localizedFailureReason ?? error.localizedDescription
            throw CommandFailure(failure, "\(option) \(path): cannot be read: \(reason)")
        }
        do throws(ForeignLine) {
            return try lines(in: [UInt8](bytes))
        } catch {
            throw CommandFailure(
                failure,
                "\(option) \(path):\(error.number): expected UTF-8, found other bytes: save the file as UTF-8"
            )
        }
    }

    /// A line that is not UTF-8, counted from 1. Repaired bytes would be another text than was meant.
    struct ForeignLine: Error, Equatable { let number: Int }

    static func lines(in bytes: [UInt8]) throws(ForeignLine) -> [String] {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
        var lines: [String] = []
        for (index, bytes) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let isFromWindows = bytes.last == UInt8(ascii: "\r")
            guard let line = String(validating: isFromWindows ? bytes.dropLast() : bytes, as: UTF8.self) else {
                throw ForeignLine(number: index + 1)
            }
            if !line.isEmpty { lines.append(line) }
        }
        return lines
    }
}
