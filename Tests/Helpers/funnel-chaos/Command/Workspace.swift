import Foundation
import FunnelFile
import Funnels

/// The folder of one run: configuration, logs and, at a difference, the two reports.
struct Workspace: Sendable {
    let path: String

    init() throws {
        let name = "funnel-chaos-\(UUID().uuidString.prefix(8).lowercased())"
        let url = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
        try write(Self.funnelsFile, to: "funnels.yaml")
        try write(Self.configuration, to: "consumer.yaml")
    }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// What the consumers count.
    static func funnels() throws -> [Funnel] {
        try FunnelsFile.parse(Array(funnelsFile.utf8), file: "funnels.yaml")
    }

    private static let funnelsFile = """
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
        """

    /// Fast reactions, so that much happens in little time.
    ///
    /// Metadata are not refreshed just when the mock cluster answers a join, after three seconds: a leader that is told
    /// them at the moment when it asks for them itself joins anew.
    private static let configuration = """
        allowed_lateness: \(Traffic.allowedLateness)
        kafka:
          session.timeout.ms: \(sessionTimeout)
          heartbeat.interval.ms: 500
          topic.metadata.refresh.interval.ms: 700
          reconnect.backoff.ms: 20
          reconnect.backoff.max.ms: 200
          retry.backoff.ms: 20
        """

    /// How long the group waits for a consumer, in milliseconds.
    static let sessionTimeout = 3500
}
