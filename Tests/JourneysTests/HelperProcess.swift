import Foundation
import Testing

/// A program that is built beside the tests, running.
final class HelperProcess {
    private let process = Process()
    private let output = Pipe()

    init(_ program: String, _ arguments: String...) throws {
        // The arguments of the test's process name the test bundle.
        let bundle = try #require(CommandLine.arguments.first { $0.contains(".xctest") })
        let end = try #require(bundle.range(of: ".xctest")).upperBound
        process.executableURL = URL(fileURLWithPath: String(bundle[..<end])).deletingLastPathComponent()
            .appendingPathComponent(program)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    deinit {
        if process.isRunning { kill() }
    }

    /// Waits for the next lines of output; empty at its end.
    func nextOutput() -> String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    /// Ends it as a crash would.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
