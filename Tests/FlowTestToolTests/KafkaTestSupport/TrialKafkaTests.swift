import FlowProcessTestSupport
import FlowTestSupport
import Foundation
import KafkaTestSupport
import Logging
import Testing

/// The cluster of the chaos and torture programs, where it is a real one.
@Suite(.waits, .timeLimit(.minutes(10))) struct TrialKafkaTests {
    @Test func `a broker that the crash command starts keeps no pipe of this process open`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        // The command tells what a broker in its place would have open.
        let kafka = try TrialKafka(
            bootstrapServers: "127.0.0.1:1",
            crashCommand: "ls /dev/fd >'\(file.path)'",
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let pipe = Pipe.notInherited()
        let files = [pipe.fileHandleForReading, pipe.fileHandleForWriting].map(\.fileDescriptor)
        try await kafka.crash()
        let open = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { Int32($0) }
        // ls opens the folder as the next file after the standard ones.
        #expect(files.allSatisfy { $0 > 3 }, "\(files)")
        #expect(Set(open).isSuperset(of: [0, 1, 2]) && Set(open).isDisjoint(with: files), "\(open), \(files)")
    }
}
