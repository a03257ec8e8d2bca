import ArgumentParser
import Foundation
import FunnelCommandSupport
import HTTPSink
import SimulatedAppStore
import Subprocess

/// Runs `event-collector` before the broker: for the store's server, and for the phones if they do not send to Kafka
/// themselves.
struct DemoEdge: Sendable {
    let collector: Program
    let workspace: Workspace
    let bootstrapServers: String

    // Port 0 selects a free port, so that several demos can run on one machine.
    var arguments: [String] {
        [
            "--config", workspace.collectorPath, "--listen", "127.0.0.1:0", "--bootstrap-servers", bootstrapServers,
            "--topic", DemoBroker.topic, "--dead-letter-topic", DemoBroker.deadLetterTopic,
        ]
    }

    /// Runs the collector while `body` runs, then terminates it.
    ///
    /// - Parameters:
    ///   - authority: signs the notifications of the store that the collector takes.
    ///   - body: receives the configuration of a sink that posts to the collector.
    /// - Throws: the error of `body`, and `CommandFailure` if the collector does not start.
    @MainActor
    func run<Value: Sendable>(
        trusting authority: SigningAuthority,
        _ body: @MainActor @Sendable (HTTPSinkConfiguration) async throws -> Value
    ) async throws -> Value {
        let secret = Workspace.secret()
        try workspace.writeCollectorConfiguration(secret: secret, root: authority.rootPEM())
        return try await collector.serve(arguments, environment: ["LOG_LEVEL": "notice"]) { line in
            line.firstMatch(of: /listening on (\S+)$/).flatMap { URL(string: "http://\($0.1)/v1/events") }
        } body: { url in
            try await body(HTTPSinkConfiguration(url: url, writeKey: secret))
        }
    }
}

/// How the events reach the topic.
enum EventRoute: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Directly to the broker, as from a server.
    case kafka
    /// Through `event-collector`, as from a phone.
    case http
}
