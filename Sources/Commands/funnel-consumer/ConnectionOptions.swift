import ArgumentParser
import FunnelCommandSupport
import FunnelConsumer
import FunnelConsumerConfiguration
import FunnelFile
import FunnelServiceSupport
import Funnels
import Foundation
import Logging
import RDKafka
import YAMLNodes

/// The flags that name the files and the store, which all commands of the program share.
struct FileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The configuration file. Default: config/consumer.yaml, if it exists.", valueName: "path")
    )
    var config: String?

    @Option(help: ArgumentHelp("The funnels file; or FUNNELS_PATH. Default: config/funnels.yaml.", valueName: "path"))
    var funnels: String?

    @Option(
        help: ArgumentHelp(
            "The store, sqlite:PATH or postgres://…; or STORE_URL. Default: sqlite:funnels.sqlite.",
            valueName: "url"
        ),
        transform: { try StoreURL($0) }
    )
    var store: StoreURL?

    /// Returns the settings, merged from the flags, the environment and the file.
    ///
    /// - Parameter flags: the settings of other flags.
    /// - Throws: `ConfigurationError`.
    func settings(adding flags: ConsumerLayer = ConsumerLayer()) throws(ConfigurationError) -> ConsumerSettings {
        var flags = flags
        flags.store = store
        flags.funnels = funnels
        return try ConsumerSettings(layers: [
            flags, ConsumerLayer(environment: ProcessInfo.processInfo.environment),
            ConsumerFile.read(path: config, remedy: "name an existing file with --config, or leave it out"),
        ])
    }
}

/// The flags of all commands that connect to brokers.
struct ConnectionOptions: ParsableArguments {
    @OptionGroup var files: FileOptions

    @Option(
        help: ArgumentHelp(
            "The brokers; or KAFKA_BOOTSTRAP_SERVERS. Default: localhost:9092.",
            valueName: "host:port,…"
        ),
        transform: SettingText.brokers.value
    )
    var bootstrapServers: String?

    @Option(
        help: ArgumentHelp("The topic of the events; or KAFKA_TOPIC. Default: app-events.", valueName: "name"),
        transform: SettingText.topic.value
    )
    var topic: String?

    @Option(
        help: ArgumentHelp(
            "The topic for invalid records; or KAFKA_DEAD_LETTER_TOPIC. Default: app-events.dlq.",
            valueName: "name"
        ),
        transform: SettingText.topic.value
    )
    var deadLetterTopic: String?

    /// Returns the settings, merged from the flags, the environment and the file.
    ///
    /// - Parameter flags: the settings of a command's own flags.
    /// - Throws: `ConfigurationError`.
    func settings(adding flags: ConsumerLayer = ConsumerLayer()) throws(ConfigurationError) -> ConsumerSettings {
        var flags = flags
        flags.bootstrapServers = bootstrapServers
        flags.topic = topic
        flags.deadLetterTopic = deadLetterTopic
        return try files.settings(adding: flags)
    }
}

extension ConsumerSettings {
    /// Reads the funnels file.
    ///
    /// - Throws: `ConfigurationError`, which names the flag if the file cannot be read.
    func readFunnels() throws(ConfigurationError) -> [Funnel] {
        try FunnelsFile.read(path: funnels, remedy: "give the funnels file with --funnels or FUNNELS_PATH")
    }

    /// Returns librdkafka's properties, with a warning for each that has no effect here.
    ///
    /// - Throws: `ConfigurationError` with the line of a property that does not exist or has an invalid value;
    ///   `KafkaConfigurationError` where the line is not known.
    func kafkaConfiguration(_ logger: Logger) throws -> KafkaConfiguration {
        var properties = kafka.values
        // The consumer would refuse them.
        for (name, reason) in Consumer.reserved.sorted(by: { $0.key < $1.key })
        where properties.removeValue(forKey: name) != nil {
            logger.warning("kafka: \(name) is ignored: \(reason). Remove it from the configuration file")
        }
        properties["bootstrap.servers"] = bootstrapServers
        let configuration = KafkaConfiguration(properties)
        try located { try configuration.check() }
        return configuration
    }

    /// Returns the options of a consumer, checked as far as that is possible without a broker.
    ///
    /// - Parameters:
    ///   - exitsAtEnd: whether the consumer ends at the end of the topic.
    ///   - logger: gets a warning for each property that has no effect.
    /// - Throws: `ConfigurationError` for a mistake in the funnels file or in librdkafka's properties;
    ///   `KafkaConfigurationError` where the line is not known.
    func consumerOptions(exitsAtEnd: Bool = false, _ logger: Logger) throws -> FunnelConsumerOptions {
        var options = FunnelConsumerOptions(
            kafka: try kafkaConfiguration(logger),
            topic: topic,
            deadLetterTopic: deadLetterTopic,
            groupID: groupID,
            funnels: try readFunnels(),
            allowedLateness: allowedLateness,
            exitsAtEnd: exitsAtEnd
        )
        options.rereadFunnels = { try readFunnels() }
        options.shutdownTimeout = shutdownTimeout
        options.cacheBytes = stateCacheMebibytes << 20
        try located { try options.check() }
        return options
    }

    /// Adds the file and the line to an error about librdkafka's properties.
    private func located(_ check: () throws -> Void) throws {
        do {
            try check()
        } catch let error as KafkaConfigurationError {
            throw kafka.error(about: error.property, "\(error)") ?? error
        }
    }
}
