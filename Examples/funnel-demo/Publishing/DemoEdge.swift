import ArgumentParser
import Foundation
import FunnelCommandSupport
import HTTPSink
import Subprocess

/// The HTTP edge: the real `event-collector` between the people's phones and the broker.
struct DemoEdge: Sendable {
    let collector: Program
    let workspace: Workspace
    let bootstrapServers: String

    // Any free port, since others may run the demo on this machine.
    var arguments: [String] {
        [
            "--config", workspace.collectorPath, "--listen", "127.0.0.1:0", "--bootstrap-servers", bootstrapServers,
            "--topic", DemoBroker.topic,
        ]
    }

    /// Runs the collector for as long as `body` takes, then ends it as an operator does.
    ///
    /// - Parameter body: is given where to post events.
    /// - Throws: what `body` throws, and `CommandFailure` where the collector does not listen.
    @MainActor
    func run<Value: Sendable>(
        _ body: @MainActor @Sendable (HTTPSinkConfiguration) async throws -> Value
    ) async throws -> Value {
        let secret = Workspace.secret()
        try workspace.writeCollectorConfiguration(secret: secret)
        return try await collector.serve(arguments, environment: ["LOG_LEVEL": "notice"]) { line in
            line.firstMatch(of: /listening on (\S+)$/).flatMap { URL(string: "http://\($0.1)/v1/events") }
        } body: { url in
            try await body(HTTPSinkConfiguration(url: url, writeKey: secret))
        }
    }
}

/// How the people's events get into the topic.
enum EventRoute: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Straight to the broker, as from a server.
    case kafka
    /// Through `event-collector`, as from a phone.
    case http
}
