internal import Foundation

/// A program of this package, built beside the tests, running.
package final class HelperProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a program.
    ///
    /// - Parameter program: the name of an executable target.
    package init(_ program: String, _ arguments: String...) throws {
        // The arguments of the test's process name the test bundle.
        guard let bundle = CommandLine.arguments.first(where: { $0.contains(".xctest") }),
            let end = bundle.range(of: ".xctest")?.upperBound
        else { throw HelperIsMissing(program: program) }
        process.executableURL = URL(fileURLWithPath: String(bundle[..<end])).deletingLastPathComponent()
            .appendingPathComponent(program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.start()
    }

    deinit {
        if process.isRunning { kill() }
    }

    /// Waits for the next piece of output, one or more lines; empty at its end.
    package func nextOutput() -> String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    /// Closes its input and waits for all that it has to say.
    package func finish() throws -> String {
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Ends it as a crash would; returns what it has said and nobody has read.
    @discardableResult
    package func kill() -> String {
        Foundation.kill(process.processIdentifier, SIGKILL)
        let data = try? output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

/// Says that a program is not where the tests look for it.
struct HelperIsMissing: Error {
    let program: String
}
