import Foundation
import FlowProcessTestSupport

/// A running `funnel-consumer`.
final class ConsumerProcess {
    /// The end that this program requested; any other end is unexpected.
    enum Request {
        case run, end, die
    }

    private let process = Process()
    private let log: String
    var request = Request.run

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    init(program: URL, arguments: [String], log: String) throws {
        self.log = log
        process.executableURL = program
        process.arguments = arguments
        process.environment = Programs.environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try Data().write(to: URL(filePath: log))
        let file = try FileHandle(forWritingTo: URL(filePath: log))
        process.standardError = file
        try process.start()
        // The child process has its own copy.
        try file.close()
    }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// A description of an unexpected end; `nil` if the end was expected.
    var complaint: String? {
        switch (process.terminationReason, process.terminationStatus, request) {
        case (.uncaughtSignal, SIGKILL, .die): nil
        // It ended before the signal arrived.
        case (.exit, 0, .end), (.exit, 0, .die): nil
        // SIGTERM came before the program handles signals. It has done nothing yet.
        case (.uncaughtSignal, SIGTERM, .end) where isLogEmpty: nil
        // The broker or the store was down for longer than it waits: the fleet starts it again.
        case (.exit, 69, _): nil
        case (.exit, let status, _): "ended with exit code \(status)"
        case (_, let signal, _): "was ended by signal \(signal)"
        }
    }

    private var isLogEmpty: Bool { (try? Data(contentsOf: URL(filePath: log)).isEmpty) ?? false }

    /// Whether it ended because the broker or the store was down.
    var gaveUp: Bool { process.terminationReason == .exit && process.terminationStatus == 69 }
}
