import Foundation
import FlowProcessTestSupport

/// A program beside this one, running. Its standard output and error go to one file.
actor ChildProcess {
    /// Where it writes.
    nonisolated let log: URL
    private let process = Process()
    private let input = Pipe()

    /// Starts the program.
    init(_ program: String, _ arguments: [String], log: URL) throws {
        self.log = log
        guard let executable = Bundle.main.executableURL else { throw TortureFailure("cannot tell where programs lie") }
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

    /// Whether it has not ended.
    var isRunning: Bool { process.isRunning }

    /// Writes a line to its standard input; one that is gone hears nothing.
    func tell(_ line: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Ends it as a crash would, and returns when it is gone.
    func kill() async {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        // Not to be left alone by a cancellation: whoever starts the next one needs this one gone.
        while process.isRunning { await Task { try? await Task.sleep(for: .milliseconds(2)) }.value }
    }

    /// Waits until it ends with the exit code 0.
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

/// Why a run could not be made, or not be judged.
struct TortureFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
