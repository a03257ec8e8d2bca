import FlowTestSupport
import Foundation
import Testing

/// `event-collector`, as it was built, before a pipeline's broker.
struct CollectorProcess {
    static let secret = "secret-of-the-command-tests"
    static let source = "app://com.example.shop"

    let command: Command
    let client: CollectorClient

    /// Starts it and waits until it listens.
    ///
    /// - Parameters:
    ///   - port: where; 0 is any that is free.
    ///   - settings: more lines of its configuration.
    static func start(_ pipeline: Pipeline, port: Int = 0, settings: String = "") async throws -> CollectorProcess {
        try configure(pipeline, settings: settings)
        let command = try launch(pipeline, port: port)
        try await command.says("listening on ")
        let match = try #require(command.errors.firstMatch(of: /listening on (\S+)\n/))
        let address = try #require(URL(string: "http://\(match.1)"))
        return CollectorProcess(command: command, client: CollectorClient(address: address))
    }

    /// Starts it without waiting for anything.
    static func launch(_ pipeline: Pipeline, port: Int = 0) throws -> Command {
        let arguments = ["--listen", "127.0.0.1:\(port)"]
        return try Command("event-collector", arguments, in: pipeline.directory, environment: pipeline.environment)
    }

    /// Writes its configuration: one key, and a broker that is missed and found again soon.
    static func configure(_ pipeline: Pipeline, secret: String = Self.secret, settings: String = "") throws {
        try pipeline.directory.write(
            """
            keys: [{name: shop, secret: \(secret), sources: ["\(source)"]}]
            \(settings)
            kafka: {reconnect.backoff.ms: 20, reconnect.backoff.max.ms: 100, retry.backoff.ms: 20}

            """,
            to: "config/collector.yaml"
        )
    }
}
