import Foundation
import Testing

/// The `store-helper` program, running.
final class HelperProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ arguments: String...) throws {
        process.executableURL = try Self.program()
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        if process.isRunning { kill() }
    }

    /// Waits for the next piece of output, one or more lines; empty at its end.
    func nextOutput() -> String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    /// Closes its input and waits for all that it has to say.
    func finish() throws -> String {
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Ends it as a crash would.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    // The helper is built beside the test bundle, which the arguments of the test's process name.
    private static func program() throws -> URL {
        let bundle = try #require(CommandLine.arguments.first { $0.contains(".xctest") })
        let end = try #require(bundle.range(of: ".xctest")).upperBound
        return URL(fileURLWithPath: String(bundle[..<end])).deletingLastPathComponent()
            .appendingPathComponent("store-helper")
    }
}
