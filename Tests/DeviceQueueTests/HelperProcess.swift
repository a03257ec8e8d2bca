import Foundation
import Testing

/// The `device-helper` program, running.
final class HelperProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
        // The helper is built beside the test bundle, which the arguments of the test's process name.
        let bundle = try #require(CommandLine.arguments.first { $0.contains(".xctest") })
        let end = try #require(bundle.range(of: ".xctest")).upperBound
        process.executableURL = URL(fileURLWithPath: String(bundle[..<end])).deletingLastPathComponent()
            .appendingPathComponent("device-helper")
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

    /// Ends it as a crash would; returns what it has said and nobody has read.
    @discardableResult
    func kill() -> String {
        Foundation.kill(process.processIdentifier, SIGKILL)
        let data = try? output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

/// What a helper has promised: how many events of each process are on the disk.
struct Promises {
    private(set) var stored: [String: Int] = [:]

    var total: Int { stored.values.reduce(0, +) }

    mutating func read(_ output: String) {
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "stored", let count = Int(words[2]) else { continue }
            stored[String(words[1])] = count
        }
    }
}
