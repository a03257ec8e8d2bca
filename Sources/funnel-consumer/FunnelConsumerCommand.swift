import ArgumentParser
import CommandStores
import CommandSupport
import ConsumerConfiguration
import Foundation
import FunnelConsumer
import FunnelFile
import FunnelStore
import Funnels
import Kafka
import Logging
import ServiceLifecycle
import UnixSignals
import YAMLNodes

/// `funnel-consumer`: counts a topic's events into a store.
@main struct FunnelConsumerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-consumer",
        abstract: "Reads events from Kafka and keeps the funnels' counts in a store.",
        discussion: """
            A setting comes from its flag, else from its environment variable, else from the configuration file, else \
            it is the default. It runs until SIGTERM or SIGINT, then commits what it has read.
            """
    )

    @Option(help: ArgumentHelp("The configuration file; config/consumer.yaml where it is there.", valueName: "path"))
    var config: String?

    @Option(help: ArgumentHelp("The funnels file; or FUNNELS_PATH. config/funnels.yaml.", valueName: "path"))
    var funnels: String?

    @Option(
        help: ArgumentHelp("The store; or STORE_URL. sqlite:PATH, by default sqlite:funnels.sqlite.", valueName: "url"),
        transform: { try StoreURL($0) }
    )
    var store: StoreURL?

    @Option(
        help: ArgumentHelp("The brokers; or KAFKA_BOOTSTRAP_SERVERS. localhost:9092.", valueName: "host:port,…")
    )
    var bootstrapServers: String?

    @Option(help: ArgumentHelp("The topic of the events; or KAFKA_TOPIC. app-events.", valueName: "name"))
    var topic: String?

    @Option(
        help: ArgumentHelp(
            "The topic for invalid events; or KAFKA_DEAD_LETTER_TOPIC. app-events.dlq.",
            valueName: "name"
        )
    )
    var deadLetterTopic: String?

    @Option(help: ArgumentHelp("The consumer group; or KAFKA_GROUP_ID. funnel-consumer.", valueName: "name"))
    var groupID: String?

    @Flag(help: "Read up to the end offsets seen at the start, commit and exit.")
    var exitAtEnd = false

    func run() async throws {
        try await FailureReport(command: "funnel-consumer", status: Self.status).reporting {
            let settings = try settings(environment: ProcessInfo.processInfo.environment)
            let logger = Self.logger(environment: ProcessInfo.processInfo.environment)
            let options = FunnelConsumerOptions(
                kafka: Self.kafka(settings, logger: logger),
                topic: settings.topic,
                deadLetterTopic: settings.deadLetterTopic,
                groupID: settings.groupID,
                funnels: try FunnelsFile.read(path: settings.funnels),
                allowedLateness: settings.allowedLateness,
                exitsAtEnd: exitAtEnd
            )
            let store = try settings.store.openStore()
            let consumer = FunnelConsumer(options: options, store: store, logger: logger)
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: [.init(service: consumer, successTerminationBehavior: .gracefullyShutdownGroup)],
                    gracefulShutdownSignals: [.sigterm, .sigint],
                    logger: logger
                )
            )
            try await group.run()
            try store.close()
        }
    }

    private func settings(environment: [String: String]) throws -> ConsumerSettings {
        let flags = ConsumerLayer(
            bootstrapServers: bootstrapServers,
            topic: topic,
            deadLetterTopic: deadLetterTopic,
            groupID: groupID,
            store: store,
            funnels: funnels
        )
        return try ConsumerSettings(layers: [
            flags, ConsumerLayer(environment: environment), ConsumerFile.read(path: config),
        ])
    }

    private static func kafka(_ settings: ConsumerSettings, logger: Logger) -> KafkaConfiguration {
        var properties = settings.kafka
        // The store's offsets are the truth, so these would have no effect that anybody could want.
        for name in Consumer.reservedProperties where properties.removeValue(forKey: name) != nil {
            logger.warning("kafka: \(name) is ignored: offsets are kept in the store")
        }
        properties["bootstrap.servers"] = settings.bootstrapServers
        return KafkaConfiguration(properties)
    }

    private static func logger(environment: [String: String]) -> Logger {
        var logger = Logger(label: "funnel-consumer") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = environment["LOG_LEVEL"].flatMap { Logger.Level(rawValue: $0.lowercased()) } ?? .info
        return logger
    }

    private static let status: @Sendable (any Error) -> Sysexits? = { error in
        switch error {
        case is ConfigurationError, is KafkaConfigurationError: .configuration
        case let error as StoreError: Sysexits(error)
        case is DamagedState: .dataError
        case is FunnelConsumerError: .unavailable
        default: nil
        }
    }
}
