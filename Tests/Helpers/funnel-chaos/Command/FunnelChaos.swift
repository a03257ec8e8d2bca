import ArgumentParser
import FunnelCommandSupport
import Foundation

/// `funnel-chaos`: injects failures into the whole pipeline, then compares its report with a brute force.
@main struct FunnelChaos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-chaos",
        abstract: "Injects failures into the whole pipeline, then checks every figure of the report.",
        discussion: """
            Runs two producers, three processes of funnel-consumer (one with SQLite), an embedded Kafka cluster and a \
            PostgreSQL server of its own. With KAFKA_BOOTSTRAP_SERVERS in the environment it uses that cluster instead \
            of an embedded one, with topics of its own. The same seed gives the same events and the same failures at the same times; \
            only the timing of the processes differs. Exit code 0: no differences. Exit code 1: differences; the \
            program keeps the folder with the logs.
            """
    )

    enum Store: String, CaseIterable, ExpressibleByArgument {
        case postgres, sqlite
    }

    @Option(help: ArgumentHelp("The seed of the run (default: a random one, which is printed).", valueName: "number"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("How long to send events and inject failures, 1 to 3600.", valueName: "seconds"))
    var duration = 60

    @Option(help: ArgumentHelp("Events per second, 8 to 5000.", valueName: "number"))
    var rate = 300

    @Option(help: "The store of the consumers.")
    var store = Store.postgres

    @Option(help: ArgumentHelp("How long to wait until all events are counted.", valueName: "seconds"))
    var patience = 180

    @Option(
        help: ArgumentHelp(
            "A shell command that crashes a broker of the cluster of KAFKA_BOOTSTRAP_SERVERS and starts it again.",
            valueName: "command"
        )
    )
    var crashBroker: String?

    @Option(
        name: .customLong("kafka"),
        help: ArgumentHelp(
            "A property of librdkafka for the consumers, such as partition.assignment.strategy=cooperative-sticky. May be repeated.",
            valueName: "name=value"
        )
    )
    var kafkaProperties: [String] = []

    @Flag(help: "Always keep the folder with the logs.")
    var keep = false

    func validate() throws {
        guard (1...3600).contains(duration) else {
            throw ValidationError("--duration \(duration): expected a number from 1 to 3600.")
        }
        guard (8...5000).contains(rate) else {
            throw ValidationError("--rate \(rate): expected a number from 8 to 5000.")
        }
        if crashBroker != nil, bootstrapServers == nil {
            throw ValidationError("--crash-broker: KAFKA_BOOTSTRAP_SERVERS names no cluster to crash.")
        }
        _ = try properties()
    }

    /// The names and values of ``kafkaProperties``.
    private func properties() throws -> [String: String] {
        try kafkaProperties.reduce(into: [:]) { properties, text in
            guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
                throw ValidationError("--kafka \(text): expected NAME=VALUE.")
            }
            properties[String(text[..<sign])] = String(text[text.index(after: sign)...])
        }
    }

    private var bootstrapServers: String? {
        ProcessInfo.processInfo.environment["KAFKA_BOOTSTRAP_SERVERS"].flatMap { $0.isEmpty ? nil : $0 }
    }

    func run() async throws {
        let seed = seed ?? .random(in: 1...999_999)
        let workspace = try Workspace(
            sessionTimeout: bootstrapServers == nil ? ChaosRun.sessionTimeout : ChaosRun.realSessionTimeout,
            properties: try properties()
        )
        // First, so that the seed is known whatever happens.
        StandardError.write("funnel-chaos: seed \(seed), logs in \(workspace.path)\n")
        let scoreboard: Scoreboard
        do {
            let options = ChaosRun.Options(
                seed: seed,
                seconds: duration,
                rate: rate,
                isSQLite: store == .sqlite,
                patience: .seconds(patience),
                bootstrapServers: bootstrapServers,
                crashCommand: crashBroker
            )
            let chaos = try ChaosRun(options, in: workspace)
            defer { chaos.deleteTopics() }
            scoreboard = try await chaos.run()
        } catch {
            StandardError.write("funnel-chaos: seed \(seed): \(error); logs in \(workspace.path)\n")
            throw ExitCode(Sysexits.software.rawValue)
        }
        try StandardOutput.write(scoreboard.table)
        for difference in scoreboard.differences.prefix(20) { try StandardOutput.write("  \(difference)\n") }
        if scoreboard.isRight, !keep { workspace.remove() }
        if !scoreboard.isRight {
            StandardError.write("funnel-chaos: the report has differences; logs in \(workspace.path)\n")
            throw ExitCode.failure
        }
    }
}
