import FlowProcessTestSupport
import FlowTestSupport
import Foundation
import KafkaTestSupport
import Logging
import Testing

/// The cluster of the chaos and torture programs, where it is a real one.
@Suite(.waits, .timeLimit(.minutes(10))) struct TrialKafkaTests {
    @Test func `a broker that the crash command starts keeps no pipe of this process open`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("broker-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let kafka = try TrialKafka(
            bootstrapServers: "127.0.0.1:1",
            crashCommand: "sleep 600 & echo $! >'\(file.path)'",
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let pipe = Pipe.notInherited()
        try await kafka.crash()
        let text = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
        let broker = try #require(pid_t(text))
        defer { kill(broker, SIGKILL) }

        try pipe.fileHandleForWriting.close()
        var state = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&state, 1, 0) == 1)
        #expect(state.revents & Int16(POLLHUP) != 0, "somebody can still write")
    }
}
