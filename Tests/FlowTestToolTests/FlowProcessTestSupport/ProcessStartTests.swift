import FlowProcessTestSupport
import FlowTestSupport
import Foundation
import Testing

/// Processes that are started by several threads at once.
@Suite(.waits, .timeLimit(.minutes(10))) struct ProcessStartTests {
    /// A process that inherits the files of another one hides that one's end: whoever reads its output waits for both.
    ///
    /// The processes end at once, so that few files are open. Foundation of Swift 6.3 can crash when it starts a process
    /// while more than some 1,300 files are open.
    @Test func `a process inherits no files of others that start at the same time`() async {
        // A process of its own, so that no other test opens files meanwhile.
        await #expect(processExitsWith: .success) {
            // Foundation closes each open file in the new process. With more files that takes longer, and starts overlap.
            let files = (0..<600).map { _ in FileHandle(forReadingAtPath: "/dev/null") }
            let open = try await withThrowingTaskGroup { group in
                for _ in 0..<16 {
                    // A thread each: tasks would share as many as there are cores.
                    group.addTask { try await onThread { try (0..<50).map { _ in try Self.openFiles() } } }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            withExtendedLifetime(files) {}
            #expect(open.count == 800)
            for open in open {
                // The standard files, the folder that ls reads, and on Linux the socket that tells Foundation of the end.
                #expect(open.isSuperset(of: ["0", "1", "2", "3"]) && open.count <= 5)
            }
        }
    }

    /// The numbers of the files that a new process has open.
    private static func openFiles() throws -> Set<Substring> {
        let process = Process()
        let output = Pipe.notInherited()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ls", "/dev/fd"]
        process.standardOutput = output
        try process.start()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Set(String(decoding: printed, as: UTF8.self).split(separator: "\n"))
    }
}
