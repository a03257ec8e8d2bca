import Foundation
import FlowProcessTestSupport
import FlowTestSupport
import Testing

/// A short run of the real thing. Long ones are what `scripts/torture` is for.
@Suite(.waits) struct TortureCommandTests {
    /// The programs are built beside the test bundle, which the arguments of the test's process name.
    private static func built(_ name: String) throws -> URL {
        let bundle = try #require(CommandLine.arguments.first { $0.contains(".xctest") })
        let end = try #require(bundle.range(of: ".xctest")).upperBound
        return URL(fileURLWithPath: String(bundle[..<end])).deletingLastPathComponent().appendingPathComponent(name)
    }

    private static let funnels = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "config/funnels.yaml")

    @Test(.timeLimit(.minutes(15)))
    func `apps, collector, network and broker fail for twenty seconds, and nothing is lost`() async throws {
        let process = Process()
        let output = Pipe.notInherited()
        process.executableURL = try Self.built("funnel-torture")
        process.arguments = ["--seed", "1", "--duration", "20", "--funnels", Self.funnels.path]
        process.standardOutput = output
        // What it says beside its table is wanted where there is none.
        process.standardError = output
        try process.start()
        let table = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(table)")
        #expect(table.contains(/lost without a reason +0\n/))
        #expect(table.contains(/events tracked +[1-9]/))
    }
}
