import Foundation
import FunnelFile
import FunnelReports
import FunnelTestSupport
import Funnels

/// Counts the topic with the real consumer and report, and compares with the brute force.
struct FunnelCheck {
    private static let allowedLateness: Int64 = 14 * 86_400_000
    let folder: URL
    let funnels: URL
    let bootstrapServers: String
    let topic: String

    /// The number of lines in the report that differ from the report of the brute force.
    func differences(_ records: [FunnelOracle.Record]) async throws -> Int {
        let store = "sqlite:" + folder.appending(path: "funnels.sqlite").path
        let configuration = folder.appending(path: "consumer.yaml")
        try Data("allowed_lateness: 14d\n".utf8).write(to: configuration)
        let arguments = [
            "--config", configuration.path, "--funnels", funnels.path, "--store", store, "--bootstrap-servers",
            bootstrapServers, "--topic", topic, "--dead-letter-topic", "\(topic).dlq", "--exit-at-end",
        ]
        _ = try await output("funnel-consumer", arguments)
        let printed = try await output("funnel-report", ["--store", store, "--format", "json"])
        let found = ReportText.withoutStates(printed)
        let oracle = FunnelOracle(
            funnels: try FunnelsFile.read(path: funnels.path),
            records: records,
            allowedLateness: Self.allowedLateness
        )
        let expected = ReportText.withoutStates(JSONReport.render(oracle.report()))
        try Data(expected.utf8).write(to: folder.appending(path: "expected.json"))
        return Self.differences(found, expected)
    }

    private static func differences(_ found: String, _ expected: String) -> Int {
        let (found, expected) = (found.split(separator: "\n"), expected.split(separator: "\n"))
        return zip(found, expected).count { $0 != $1 } + abs(found.count - expected.count)
    }

    private func output(_ program: String, _ arguments: [String]) async throws -> String {
        let log = folder.appending(path: "\(program).log")
        try await ChildProcess(program, arguments, log: log).end(within: .seconds(300))
        return try String(contentsOf: log, encoding: .utf8)
    }
}
