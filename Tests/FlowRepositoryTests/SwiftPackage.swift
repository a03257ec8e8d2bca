import FlowProcessTestSupport
import Foundation

/// `swift package`, started beside the build that runs the tests.
enum SwiftPackage {
    struct Outcome {
        var exitCode: Int32
        /// Both streams, as a person sees them.
        var output: String
    }

    /// Runs a command of `swift package` on the package in a folder.
    ///
    /// It has a scratch path of its own, because the build that runs the tests holds the lock of this package's.
    static func run(_ command: String..., in folder: URL) throws -> Outcome {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "flow-scratch-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["swift", "package", "--package-path", folder.path, "--scratch-path", scratch.path] + command
        let pipe = Pipe.notInherited()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.start()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Outcome(exitCode: process.terminationStatus, output: output)
    }
}
