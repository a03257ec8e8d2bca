import Foundation
import FlowProcessTestSupport

/// One `funnel-consumer`, running.
final class ConsumerProcess {
    /// What this program has asked of it; another end is its own.
    enum Request {
        case run, end, die
    }

    private let process = Process()
    var request = Request.run

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    init(program: URL, arguments: [String], log: String) throws {
        process.executableURL = program
        process.arguments = arguments
        process.environment = Programs.environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try Data().write(to: URL(filePath: log))
        let file = try FileHandle(forWritingTo: URL(filePath: log))
        process.standardError = file
        try process.start()
        // The child has its own.
        try file.close()
    }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// What is wrong about how it ended; `nil` where nothing is.
    var complaint: String? {
        switch (process.terminationReason, process.terminationStatus, request) {
        case (.uncaughtSignal, SIGKILL, .die): nil
        // It was quicker than the signal.
        case (.exit, 0, .end), (.exit, 0, .die): nil
        // Broker or store were away for longer than it waits: whoever runs it starts it again.
        case (.exit, 69, _): nil
        case (.exit, let status, _): "ended with exit code \(status)"
        case (_, let signal, _): "was ended by signal \(signal)"
        }
    }

    /// Whether it gave up because the broker or the store was away.
    var gaveUp: Bool { process.terminationReason == .exit && process.terminationStatus == 69 }
}
