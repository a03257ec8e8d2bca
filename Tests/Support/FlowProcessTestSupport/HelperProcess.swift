internal import Foundation

/// A running program of this package, which the build puts beside the tests.
package final class HelperProcess {
    private let process = Process()
    private let input = Pipe.notInherited()
    private let output = Pipe.notInherited()

    /// Starts a program.
    ///
    /// - Parameter program: The name of an executable target.
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

    /// Waits for the next piece of output and returns it: one or more lines, or an empty text at the end.
    package func nextOutput() -> String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    /// Closes the program's input, waits until it ends, and returns the rest of its output.
    package func finish() throws -> String {
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Kills the program with SIGKILL, and returns its output that was not read yet.
    @discardableResult
    package func kill() -> String {
        Foundation.kill(process.processIdentifier, SIGKILL)
        let data = try? output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

/// The tests cannot find a program.
struct HelperIsMissing: Error {
    let program: String
}
