import Foundation
import FunnelFile
import Funnels

/// The folder of one run: configuration, logs and, after a difference, the two reports.
struct Workspace: Sendable {
    let path: String

    /// - Parameters:
    ///   - sessionTimeout: The session timeout of the group, in milliseconds.
    ///   - properties: More properties of librdkafka for the consumers.
    init(sessionTimeout: Int = ChaosRun.sessionTimeout, properties: [String: String] = [:]) throws {
        let name = "funnel-chaos-\(UUID().uuidString.prefix(8).lowercased())"
        let url = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
        try write(Self.funnelsFile, to: "funnels.yaml")
        try write(Self.configuration(sessionTimeout: sessionTimeout, properties), to: "consumer.yaml")
    }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The funnels of the consumers.
    static func funnels() throws -> [Funnel] {
        try FunnelsFile.parse(Array(funnelsFile.utf8), file: "funnels.yaml")
    }

    private static let funnelsFile = """
        timezone: America/St_Johns
        funnels:
          - name: home-to-paywall
            window: 1d
            steps:
              - {name: home, event: screen_view, where: {screen: home}}
              - {name: paywall, event: screen_view, where: {screen: paywall}}
          - name: paywall-to-purchase
            count: sessions
            window: 2d
            breakdown: paywall_source
            steps:
              - {name: paywall, event: screen_view, where: {screen: paywall}}
              - {name: purchase, event: purchase}
          - name: three-steps
            window: 12h
            breakdown: properties.n
            steps:
              - {name: any, event: screen_view}
              - {name: half, event: screen_view, where: {properties.n: [0.5, 1]}}
              - {name: purchase, event: purchase}
          - name: money-of-presentations
            count: {by: sequence}
            window: 2d
            breakdown: paywall_source
            exclude:
              - {event: screen_view, where: {screen: settings}}
            steps:
              - {name: view, event: screen_view, where: {screen: {not: settings}, sequence: {lt: 100}}}
              - {name: purchase, event: purchase, sum: {field: properties.n, decimals: 1, unit: paywall_source}}
          - name: first-views
            entry: first
            window: 3d
            breakdown: properties.n
            exclude:
              - {event: screen_view, where: {screen: {contains: fil}}}
            steps:
              - {name: view, event: screen_view, where: {screen: {prefix: h}}}
              - {name: purchase, event: purchase, where: {properties.n: {exists: true}}, sum: {field: sequence}}
          - name: first-of-sessions
            count: sessions
            entry: first
            window: 6h
            steps:
              - {name: view, event: screen_view}
              - {name: purchase, event: purchase, where: {properties.n: {gte: 0.5, lte: 1}}}
        """

    /// Kafka settings with short timeouts.
    ///
    /// The refresh interval of the metadata differs from the three seconds after which the mock cluster answers a join:
    /// a group leader that gets metadata while it requests them joins again.
    private static func configuration(sessionTimeout: Int, _ properties: [String: String]) -> String {
        var all = [
            "topic.metadata.refresh.interval.ms": "700",
            "reconnect.backoff.ms": "20",
            "reconnect.backoff.max.ms": "200",
            "retry.backoff.ms": "20",
        ]
        // With the newer protocol the broker sets both, and librdkafka refuses them.
        if properties["group.protocol"] != "consumer" {
            all["session.timeout.ms"] = "\(sessionTimeout)"
            all["heartbeat.interval.ms"] = "500"
        }
        all.merge(properties) { _, given in given }
        let lines = all.sorted { $0.key < $1.key }.map { "  \($0): \($1)" }
        return (["allowed_lateness: \(Traffic.allowedLateness)", "kafka:"] + lines).joined(separator: "\n")
    }
}
