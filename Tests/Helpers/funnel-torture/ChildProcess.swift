import Foundation
import FlowProcessTestSupport

/// A running program from this program's folder. Its standard output and error go to one file.
actor ChildProcess {
    /// The file with its output.
    nonisolated let log: URL
    private let process = Process()
    private let input = Pipe.notInherited()

    /// Starts the program.
    init(_ program: String, _ arguments: [String], log: URL) throws {
        self.log = log
        guard let executable = Bundle.main.executableURL else {
            throw TortureFailure("cannot find the folder of this program")
        }
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let file = try FileHandle(forWritingTo: log)
        try file.seekToEnd()
        process.executableURL = executable.resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("KAFKA_") }
        process.standardInput = input
        process.standardOutput = file
        process.standardError = file
        try process.start()
    }

    deinit {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// Whether the process runs.
    var isRunning: Bool { process.isRunning }

    /// Writes a line to its standard input. Does nothing if the process has ended.
    func tell(_ line: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Kills the process with SIGKILL, and returns when it has ended.
    func kill() async {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        // Not cancellable: the next process can only start when this one has ended.
        while process.isRunning { await Task { try? await Task.sleep(for: .milliseconds(2)) }.value }
    }

    /// Waits until the process ends with exit code 0.
    func end(within limit: Duration) async throws {
        let deadline = ContinuousClock.now + limit
        while process.isRunning {
            if ContinuousClock.now > deadline {
                throw TortureFailure("\(name) did not end in \(limit); see \(log.path)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw TortureFailure("\(name) ended with \(process.terminationStatus); see \(log.path)")
        }
    }

    private var name: String { process.executableURL?.lastPathComponent ?? "a program" }
}

/// A reason why a run has no result.
struct TortureFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
