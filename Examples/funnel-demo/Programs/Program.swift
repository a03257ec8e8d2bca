import ArgumentParser
import FunnelCommandSupport
import Foundation
import Subprocess

// Subprocess uses the paths of the module that the platform has.
#if canImport(System)
import System
#else
import SystemPackage
#endif

/// One of the project's commands.
struct Program: Sendable {
    let name: String
    let path: String

    init(name: String, folder: URL) throws(CommandFailure) {
        let path = folder.appending(path: name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw CommandFailure(
                .unavailable,
                "\(path): no such program. Run scripts/demo, or build it with swift build -c release --product \(name)"
            )
        }
        self.name = name
        self.path = path
    }

    /// Returns the command line that a person types in the working directory. Long command lines have several lines.
    func commandLine(_ arguments: [String]) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        let command = path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
        return ([command] + arguments).map(Self.quoted).reduce(into: (text: "", width: 0)) { line, word in
            if line.width + word.count > 100, word.hasPrefix("--") {
                line.text += " \\\n       "
                line.width = 4
            } else if !line.text.isEmpty {
                line.text += " "
            }
            line.text += word
            line.width += word.count + 1
        }.text
    }

    /// Runs the program with the standard output and error of this process.
    func run(_ arguments: [String]) async throws {
        let result = try await Subprocess.run(
            .path(FilePath(path)),
            arguments: Arguments(arguments),
            platformOptions: Self.options,
            output: .currentStandardOutput,
            error: .currentStandardError
        )
        try check(result.terminationStatus)
    }

    /// Runs the program, and returns its standard output.
    func output(_ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .path(FilePath(path)),
            arguments: Arguments(arguments),
            platformOptions: Self.options,
            output: .string(limit: 1 << 24),
            error: .currentStandardError
        )
        try check(result.terminationStatus)
        return result.standardOutput
    }

    // If this process is canceled, the command is terminated, and killed after 5 seconds.
    static var options: PlatformOptions {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        return options
    }

    func check(_ status: TerminationStatus) throws {
        try Task.checkCancellation()
        let (code, ending) =
            switch status {
            case .exited(let code): (code, "ended with exit code \(code)")
            case .signaled(let signal): (128 + signal, "was ended by signal \(signal)")
            }
        guard code != 0 else { return }
        StandardError.write("funnel-demo: \(name) \(ending); its output is above\n")
        throw ExitCode(code)
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,@+".contains($0)) }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
