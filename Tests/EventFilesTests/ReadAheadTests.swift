import FlowTestSupport
import Foundation
import Testing

@testable import EventFiles

/// Tests how the bytes of a file are read ahead.
@Suite(.waits, .timeLimit(.minutes(5))) struct ReadAheadTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func input(_ bytes: [UInt8]) throws -> DecodedInput {
        let path = directory.file("events")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return DecodedInput(try ByteInput(path: path))
    }

    @Test(arguments: [0, 1, 999, 1000, 1001, 54_321])
    func `the chunks are the file, and an empty one ends it`(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let ahead = ReadAhead(try input(bytes), chunkSize: 1000)
        defer { ahead.stop() }
        var found: [UInt8] = []
        while true {
            let chunk = try ahead.next()
            guard chunk.count > 0 else { break }
            found += chunk.bytes[..<chunk.count]
            #expect((Int64(found.count)...Int64(size)).contains(chunk.position))
            ahead.giveBack(chunk)
        }
        #expect(found == bytes)
    }

    @Test func `whoever stops before the end lets the thread and the file go`() async throws {
        weak var kept: ReadAhead?
        do {
            let ahead = ReadAhead(try input([UInt8](repeating: 0, count: 1_000_000)), chunkSize: 1000)
            kept = ahead
            _ = try ahead.next()
            ahead.stop()
        }
        try await until("the thread has ended") { kept == nil }
    }
}
