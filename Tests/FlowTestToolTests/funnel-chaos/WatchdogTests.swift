import Foundation
import FlowProcessTestSupport
import FlowTestSupport
import Testing

@testable import funnel_chaos

@Suite(.waits, .timeLimit(.minutes(10))) struct WatchdogTests {
    private static func sleeper() throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sleep")
        process.arguments = ["600"]
        // Whoever reads what the tests print must not wait for it.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        return process
    }

    @Test func `whoever has not ended when this process is gone is killed, and nobody else`() async throws {
        let (first, ended, second) = (try Self.sleeper(), try Self.sleeper(), try Self.sleeper())
        defer { kill(ended.processIdentifier, SIGKILL) }
        var watchdog: Watchdog? = try Watchdog()
        for process in [first, ended, second] { try watchdog?.begin(process.processIdentifier) }
        try watchdog?.end(ended.processIdentifier)
        #expect(first.isRunning && second.isRunning)
        // Its input ends, as it does with this process.
        watchdog = nil
        for process in [first, second] {
            try await until("\(process.processIdentifier) ends") { !process.isRunning }
            #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
        }
        #expect(ended.isRunning)
    }
}
