import EventCollector
import Foundation
import FunnelConsumerConfiguration
import FunnelFile
import Funnels
import Testing
import YAMLNodes
import Yams

/// The configuration files and the workflow of the repository.
@Suite struct ShippedFilesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func read(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test func `the configuration files that are shipped are valid`() throws {
        let funnels = try FunnelsFile.read(path: Self.root.appending(path: "config/funnels.yaml").path)
        let names = [
            "home-to-paywall", "profile-to-paywall", "paywall-to-purchase", "paywall-revenue",
            "first-paywall-to-purchase", "does-the-profile-help", "paywall-layout-test", "home-to-paid",
            "paywall-to-refund",
        ]
        #expect(funnels.map(\.name) == names)
        let example = try ConsumerFile.read(path: Self.root.appending(path: "config/consumer.example.yaml").path)
        #expect(try ConsumerSettings(layers: [example]) == ConsumerSettings(layers: []))
    }

    @Test func `the collector's example has the defaults, and a key whose secret has to be changed`() throws {
        let example = try Self.read("config/collector.example.yaml")
        let line = try #require(
            example.split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
                $0.contains("secret: ")
            }
        )
        let error = #expect(throws: ConfigurationError.self) {
            try CollectorFile.parse(Array(example.utf8), file: "collector.yaml")
        }
        #expect(error?.line == line + 1)
        #expect(error?.description.contains("'openssl rand -hex 32' makes one") == true)
        let changed = example.replacing("change-me-change-me-change-me", with: "0123456789abcdef0123")
        var settings = try CollectorFile.parse(Array(changed.utf8), file: "collector.yaml")
        #expect(settings.keys.map(\.name) == ["shop"])
        settings.keys = []
        #expect(settings == CollectorSettings())
    }

    @Test func `the workflow is valid YAML and runs what a person would`() throws {
        let workflow = try #require(try Yams.compose(yaml: Self.read(".github/workflows/ci.yml")))
        let jobs = try #require(workflow["jobs"]?.mapping)
        let commands = jobs.values.flatMap { $0["steps"]?.array() ?? [] }.compactMap { $0["run"]?.string }
        #expect(commands.contains { $0.contains("scripts/test") })
        #expect(commands.contains { $0.contains("xcodebuild") })
    }
}
