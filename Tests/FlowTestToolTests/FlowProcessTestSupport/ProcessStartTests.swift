import Foundation
import FlowProcessTestSupport
import FlowTestSupport
import Testing

/// Processes that are started by several threads at once.
@Suite(.waits, .timeLimit(.minutes(10))) struct ProcessStartTests {
    @Test func `a process and its output end while others that started with it live on`() async throws {
        let long = try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                // A thread each: tasks would share as many as there are cores.
                group.addTask {
                    try await onThread {
                        try (0..<50).map { _ in
                            let process = try Self.start("sleep", "600")
                            let output = Pipe.notInherited()
                            let short = try Self.start("echo", "done", output: output)
                            let printed = try output.fileHandleForReading.readToEnd()
                            short.waitUntilExit()
                            #expect(printed == Data("done\n".utf8))
                            return process.processIdentifier
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(long.count == 800)
        for process in long { kill(process, SIGKILL) }
    }

    private static func start(_ command: String..., output: Pipe? = nil) throws -> Process {
        let process = Process()
        if let output { process.standardOutput = output }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        try process.start()
        return process
    }
}
