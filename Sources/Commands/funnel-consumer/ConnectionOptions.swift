import ArgumentParser
import FunnelCommandSupport
import FunnelCommandTopics
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

    @OptionGroup var kafka: TopicOptions

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
        flags.bootstrapServers = kafka.bootstrapServers
        flags.topic = kafka.topic
        flags.deadLetterTopic = deadLetterTopic
        return try files.settings(adding: flags)
    }
}

extension ConsumerSettings {
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
}
