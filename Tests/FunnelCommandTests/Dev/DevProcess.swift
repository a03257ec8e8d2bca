import EventTracking
import FlowEvents
import FlowTestSupport
import Foundation
import HTTPSink
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `funnel-dev`, as it was built, with funnels from home over the paywall to a purchase.
struct DevProcess {
    let command: Command
    let client: CollectorClient

    static func start(
        _ arguments: [String] = [],
        listen: String = "127.0.0.1:0",
        in directory: TemporaryDirectory
    ) async throws -> DevProcess {
        try configure(directory)
        let environment = ["TMPDIR": directory.path]
        let command = try Command(
            "funnel-dev",
            ["--listen", listen] + arguments,
            in: directory,
            environment: environment
        )
        try await until("it listens") {
            try #require(command.isRunning, "it has ended: \(command.errors)")
            return command.output.contains("Ctrl-C ends it")
        }
        let address = try #require(command.output.firstMatch(of: /Funnels +(\S+)\/\n/)?.1)
        return DevProcess(
            command: command,
            client: CollectorClient(address: try #require(URL(string: String(address))))
        )
    }

    static func configure(_ directory: TemporaryDirectory) throws {
        try directory.write(
            """
            funnels:
              - name: home-to-purchase
                window: 1h
                steps:
                  - {name: home, event: screen_view, where: {screen: home}}
                  - {name: paywall, event: screen_view, where: {screen: paywall}}
                  - {name: bought, event: purchase}

            """,
            to: "config/funnels.yaml"
        )
    }

    /// The page of live events, with the parameters of a query.
    func live(_ query: String = "") async throws -> String {
        let url = try #require(URL(string: "\(client.address)/live\(query)"))
        return String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
    }

    /// Waits until the page of live events has a text.
    func shows(_ text: String, _ query: String = "") async throws {
        var last = ""
        try await until("/live\(query) has '\(text)': \(last)") {
            last = try await live(query)
            return last.contains(text)
        }
    }

    /// Posts events as they are.
    func post(_ events: [Event]) async throws {
        let bodies = try events.map { String(decoding: try $0.encoded(), as: UTF8.self) }
        let answer = try await client.post("[\(bodies.joined(separator: ","))]", secret: "anything")
        #expect(answer.status == 200, "\(answer.body)")
    }

    static func event(
        _ sequence: Int64,
        install: String = "install-1",
        type: String = "screen_view",
        screen: String? = nil,
        properties: [String: PropertyValue] = [:]
    ) -> Event {
        Event(
            id: "\(install)-\(sequence)",
            source: "app://com.example.shop",
            type: type,
            time: .now,
            installID: install,
            sequence: sequence,
            screen: screen,
            properties: properties
        )
    }
}
