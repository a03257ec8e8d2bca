import Foundation
import FlowProcessTestSupport
import FlowTestSupport
import Testing

/// A running program: a built one of this package, or one of the system.
final class Command {
    /// The exit status and the output.
    struct Outcome {
        /// The exit code, or the number of the signal that ended the program.
        let status: Int32
        let isKilled: Bool
        let output: String
        let errors: String
    }

    private let process = Process()
    // Kept, because the directory is removed with its last owner.
    private let directory: TemporaryDirectory
    // Files, not pipes: the program never blocks on them, and tests can read them while it runs.
    private let outputFile: URL
    private let errorFile: URL
    private let input: Pipe?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: the name of an executable target, or a path.
    ///   - directory: its working directory, which also gets the files of its output.
    ///   - environment: variables to add to this process's environment, from which those that configure the commands
    ///   are removed.
    init(
        _ program: String,
        _ arguments: [String],
        in directory: TemporaryDirectory,
        environment: [String: String] = [:],
        hasInput: Bool = false
    ) throws {
        self.directory = directory
        let name = UUID().uuidString
        outputFile = URL(fileURLWithPath: directory.file("\(name).out"))
        errorFile = URL(fileURLWithPath: directory.file("\(name).err"))
        input = hasInput ? Pipe.notInherited() : nil
        for file in [outputFile, errorFile] { try Data().write(to: file) }
        process.executableURL = try program.hasPrefix("/") ? URL(fileURLWithPath: program) : Self.built(program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: directory.path)
        process.environment = Self.inherited.merging(environment) { $1 }
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.start()
    }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Standard output so far.
    var output: String { Self.text(outputFile) }

    /// Standard error so far.
    var errors: String { Self.text(errorFile) }

    var isRunning: Bool { process.isRunning }

    var processID: Int32 { process.processIdentifier }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Writes to the program's standard input, and closes it.
    func write(_ text: String) throws {
        try input?.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try closeInput()
    }

    /// Closes the program's standard input.
    func closeInput() throws {
        try input?.fileHandleForWriting.close()
    }

    /// Waits until the program ends.
    func end(within limit: Duration = patience, sourceLocation: SourceLocation = #_sourceLocation) async throws
        -> Outcome
    {
        try await until("\(process.arguments ?? []) ends: \(errors)", within: limit, sourceLocation: sourceLocation) {
            !process.isRunning
        }
        return Outcome(
            status: process.terminationStatus,
            isKilled: process.terminationReason == .uncaughtSignal,
            output: output,
            errors: errors
        )
    }

    /// Waits until standard error contains a text.
    func says(_ part: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await until("'\(part)' is said", sourceLocation: sourceLocation) {
            try #require(process.isRunning, "it has ended: \(errors)", sourceLocation: sourceLocation)
            return errors.contains(part)
        }
    }

    private static func text(_ file: URL) -> String {
        (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    // The variables that configure the commands, which the program must not inherit.
    private static let inherited = ProcessInfo.processInfo.environment.filter { name, _ in
        !name.hasPrefix("KAFKA_")
            && !["STORE_URL", "FUNNELS_PATH", "COLLECTOR_LISTEN", "LOG_LEVEL", "NO_COLOR", "COLUMNS", "TERM"].contains(
                name
            )
    }

    // The programs are built beside the test bundle, which the arguments of the test's process name.
    static func built(_ name: String) throws -> URL {
        let bundle = try #require(CommandLine.arguments.first { $0.contains(".xctest") })
        let end = try #require(bundle.range(of: ".xctest")).upperBound
        return URL(fileURLWithPath: String(bundle[..<end])).deletingLastPathComponent().appendingPathComponent(name)
    }
}
