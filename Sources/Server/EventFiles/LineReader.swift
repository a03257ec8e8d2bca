import Foundation

/// Reads the lines of a file of events: one JSON document a line, plain, gzip or Zstandard.
///
/// ```swift
/// let reader = try LineReader(path: "last-week.ndjson.gz", limit: 1 << 20)
/// while try reader.readLines({ line in print(line.number, line.bytes.count) }) {}
/// ```
///
/// It keeps one line in memory, no more than `limit` bytes of it, and 1 MiB that a thread of its own has read ahead. Empty
/// lines are left out; they keep their numbers. A reader belongs to one thread, which it blocks.
package final class LineReader {
    /// A line.
    package struct Line {
        /// The number of the line in the file, from 1.
        package let number: Int
        /// Its bytes without the line feed, valid during the call. At most `limit` and one more: a line that is longer than
        /// the limit is cut there.
        package let bytes: UnsafeRawBufferPointer
    }

    private static let step = 1 << 18

    private let input: ReadAhead
    private let limit: Int
    // The bytes of the line that has begun, where it does not end in its chunk.
    private var rest: [UInt8] = []
    private var number = 0
    // Whether the rest of the current line is left out, because the line is too long.
    private var skipsToEnd = false
    private var isAtStart = true

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the path; `-` for standard input.
    ///   - limit: the number of bytes of a line, beyond which only one more is kept.
    /// - Throws: ``EventFileError``.
    package init(path: String, limit: Int) throws(EventFileError) {
        let file = try ByteInput(path: path)
        name = file.name
        input = ReadAhead(DecodedInput(file), chunkSize: Self.step)
        self.limit = limit
    }

    /// Checks that a file is there, and returns its size; `nil` for a pipe. It opens no pipe: whoever writes into one would
    /// take the end of that for the end of the reader.
    ///
    /// - Throws: ``EventFileError`` where there is no such file, or only a folder.
    package static func size(ofFileAt path: String) throws(EventFileError) -> Int64? {
        var status = stat()
        guard path == "-" || stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFIFO else { return nil }
        return try ByteInput(path: path).size
    }

    /// The name of the file, for messages.
    package let name: String

    /// The number of its bytes that were read, as they are in the file.
    package private(set) var position: Int64 = 0

    deinit { input.stop() }

    /// Reads a chunk, and calls `body` with each line that ends in it.
    ///
    /// - Returns: whether there may be more lines.
    /// - Throws: ``EventFileError``, and what `body` throws.
    package func readLines(_ body: (Line) throws -> Void) throws -> Bool {
        let chunk = try input.next()
        position = chunk.position
        guard chunk.count > 0 else {
            // The last line may have no line feed.
            if !rest.isEmpty { try takeRest(body) }
            return false
        }
        defer { input.giveBack(chunk) }
        try chunk.bytes.withUnsafeBytes {
            try readLines(of: UnsafeRawBufferPointer(rebasing: $0[..<chunk.count]), body)
        }
        return true
    }

    private func readLines(of bytes: UnsafeRawBufferPointer, _ body: (Line) throws -> Void) throws {
        var start = 0
        if isAtStart {
            isAtStart = false
            // A byte order mark, which editors put before UTF-8.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        }
        while let feed = Self.lineFeed(in: bytes, start..<bytes.count) {
            if skipsToEnd {
                skipsToEnd = false
            } else if rest.isEmpty {
                try take(UnsafeRawBufferPointer(rebasing: bytes[start..<feed]), body)
            } else {
                rest.append(contentsOf: bytes[start..<feed])
                try takeRest(body)
            }
            start = feed + 1
        }
        guard !skipsToEnd else { return }
        rest.append(contentsOf: bytes[start...])
        if rest.count > limit {
            try takeRest(body)
            skipsToEnd = true
        }
    }

    private func takeRest(_ body: (Line) throws -> Void) throws {
        defer { rest.removeAll(keepingCapacity: true) }
        try rest.withUnsafeBytes { try take($0, body) }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ body: (Line) throws -> Void) throws {
        number += 1
        let line = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit + 1))
        guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { return }
        try body(Line(number: number, bytes: line))
    }

    private static func lineFeed(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty, let base = bytes.baseAddress,
            let found = memchr(base + range.lowerBound, 0x0A, range.count)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
