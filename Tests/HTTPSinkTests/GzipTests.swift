import Foundation
import FlowProcessTestSupport
import Testing

@testable import HTTPSink

@Suite struct GzipTests {
    @Test(arguments: [0, 1, 100, 1_000_000])
    func `gzip of the system gives the bytes back`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let compressed = try #require(Gzip.compressed(bytes))
        let path = NSTemporaryDirectory() + "gzip-\(UUID().uuidString).gz"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(compressed).write(to: URL(fileURLWithPath: path))
        let process = Process()
        let output = Pipe.notInherited()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", path]
        process.standardOutput = output
        try process.start()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && [UInt8](data) == bytes)
    }
}
