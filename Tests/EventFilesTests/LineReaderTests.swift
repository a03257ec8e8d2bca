import FlowEventTestSupport
import FlowTestSupport
import Foundation
import Testing

@testable import EventFiles

/// Tests how files of events are read: plain, gzip and Zstandard.
@Suite struct LineReaderTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    struct Found: Equatable {
        var number: Int
        var text: String
    }

    private func lines(_ path: String, limit: Int = 100) throws -> [Found] {
        let reader = try LineReader(path: path, limit: limit)
        var found: [Found] = []
        while try reader.readLines({
            found.append(Found(number: $0.number, text: String(decoding: $0.bytes, as: UTF8.self)))
        }) {}
        return found
    }

    private func write(_ bytes: some Sequence<UInt8>, _ name: String = "events.ndjson") throws -> String {
        let path = directory.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Compresses with the program that people use.
    private func compressed(_ path: String, with program: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let output = path + "." + program
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.arguments = program == "zstd" ? ["zstd", "-q", "-c", path] : [program, "-c", path]
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) is missing")
        return output
    }

    @Test func `lines have their numbers, and empty ones are left out`() throws {
        let path = try write("one\n\n  \r\ntwo\r\nthree".utf8)
        #expect(
            try lines(path) == [
                Found(number: 1, text: "one"), Found(number: 4, text: "two\r"), Found(number: 5, text: "three"),
            ]
        )
        #expect(try lines(try write([])) == [])
        #expect(try lines(try write("\u{FEFF}{}\n".utf8)) == [Found(number: 1, text: "{}")])
    }

    @Test func `a long line is cut one byte beyond the limit, whatever follows`() throws {
        let long = String(repeating: "x", count: 5_000_000)
        let path = try write("a\n\(long)\nb\n\(long)".utf8)
        let cut = String(repeating: "x", count: 101)
        #expect(
            try lines(path) == [
                Found(number: 1, text: "a"), Found(number: 2, text: cut), Found(number: 3, text: "b"),
                Found(number: 4, text: cut),
            ]
        )
        #expect(try lines(path, limit: 5_000_000)[1].text.utf8.count == 5_000_000)
    }

    @Test(arguments: ["gzip", "zstd"])
    func `compressed files are read as they are, one member behind another, whatever their name`(program: String) throws
    {
        var generator = SeededGenerator(seed: 1)
        let texts = (0..<60_000).map { _ in String(generator.next(), radix: 36) + String(repeating: "-", count: 40) }
        let path = try write((texts.joined(separator: "\n") + "\n").utf8)
        let one = try compressed(path, with: program)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: one))
        #expect(bytes.count < 1_500_000)
        let expected = texts.enumerated().map { Found(number: $0.offset + 1, text: $0.element) }
        #expect(try lines(one) == expected)
        let twice = try lines(try write(bytes + bytes, "renamed.txt"))
        #expect(twice.count == 2 * texts.count && twice.last == Found(number: 2 * texts.count, text: texts[59_999]))
    }

    @Test(arguments: ["gzip", "zstd"])
    func `a compressed file that ends too early, or is damaged, is an error that names it`(program: String) throws {
        let path = try write((0..<50_000).map { "line \($0)" }.joined(separator: "\n").utf8)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try compressed(path, with: program))))
        let short = try write(bytes.dropLast(5), "short")
        #expect { try lines(short) } throws: { error in
            "\(error)".hasPrefix("\(short): the \(program) data is damaged, or ends too early")
                && (error as? EventFileError)?.code == .damaged
        }
        bytes[bytes.count / 2] ^= 0x55
        bytes[bytes.count / 2 + 1] ^= 0xAA
        let damaged = try write(bytes, "damaged")
        #expect(throws: EventFileError.self) { try lines(damaged) }
    }

    @Test func `a missing file and a folder are errors that say so`() throws {
        #expect { try lines(directory.file("none")) } throws: {
            "\($0)".contains("none cannot be opened: No such file")
        }
        #expect { try lines(directory.path) } throws: { "\($0)".contains("is a folder: name the files in it") }
    }

    @Test func `a named pipe is read once, and its size is not known`() throws {
        let path = directory.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(try LineReader.size(ofFileAt: path) == nil)
        let writer = Thread {
            let handle = FileHandle(forWritingAtPath: path)
            handle?.write(Data("a\nb\n".utf8))
            try? handle?.close()
        }
        writer.start()
        #expect(try lines(path).map(\.text) == ["a", "b"])
    }
}
