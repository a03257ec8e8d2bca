import ArgumentParser
import FunnelConsumerConfiguration
import Foundation
import RDKafka
import Logging
import YAMLNodes

/// The flags that say what is read and where it is kept: the same for every command of the program.
struct ConnectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration file; config/consumer.yaml where it is there.", valueName: "path"))
    var config: String?

    @Option(help: ArgumentHelp("The funnels file; or FUNNELS_PATH. config/funnels.yaml.", valueName: "path"))
    var funnels: String?

    @Option(
        help: ArgumentHelp(
            "The store, sqlite:PATH or postgres://…; or STORE_URL. sqlite:funnels.sqlite.",
            valueName: "url"
        ),
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

    /// The settings of the flags, the environment and the file.
    ///
    /// - Parameter flags: what a command's own flags add.
    /// - Throws: `ConfigurationError`.
    func settings(adding flags: ConsumerLayer = ConsumerLayer()) throws(ConfigurationError) -> ConsumerSettings {
        var flags = flags
        flags.bootstrapServers = bootstrapServers
        flags.topic = topic
        flags.deadLetterTopic = deadLetterTopic
        flags.store = store
        flags.funnels = funnels
        return try ConsumerSettings(layers: [
            flags, ConsumerLayer(environment: ProcessInfo.processInfo.environment), ConsumerFile.read(path: config),
        ])
    }
}

extension ConsumerSettings {
    /// What librdkafka is told.
    func kafkaConfiguration(_ logger: Logger) -> KafkaConfiguration {
        var properties = kafka
        // The store's offsets are the truth, so these would have no effect that anybody could want.
        for name in Consumer.reservedProperties where properties.removeValue(forKey: name) != nil {
            logger.warning("kafka: \(name) is ignored: offsets are kept in the store")
        }
        properties["bootstrap.servers"] = bootstrapServers
        return KafkaConfiguration(properties)
    }
}

extension Logger {
    /// The program's log, on standard error; `LOG_LEVEL` says how much of it.
    static func command() -> Logger {
        var logger = Logger(label: "funnel-consumer") { StreamLogHandler.standardError(label: $0) }
        let level = ProcessInfo.processInfo.environment["LOG_LEVEL"]
        logger.logLevel = level.flatMap { Logger.Level(rawValue: $0.lowercased()) } ?? .info
        return logger
    }
}
