import EventTracking
import ArgumentParser
import FunnelCommandSupport
import EventCollector
import Foundation
import FunnelServiceSupport
import RDKafka
import KafkaSink
import Logging
import ServiceLifecycle
import UnixSignals
import YAMLNodes

/// `event-collector`: the HTTP edge of a Kafka topic.
@main struct EventCollectorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event-collector",
        abstract: "Takes events over HTTP and answers when Kafka has acknowledged them.",
        discussion: """
            POST /v1/events takes CloudEvents in batch or structured mode. POST /v1/webhooks/app-store and \
            /v1/webhooks/revenuecat take what stores' servers say, where the file configures them. A flag overrides its environment variable, \
            which overrides the configuration file, which overrides the default. SIGHUP reads the write keys again. \
            After SIGTERM or SIGINT the collector answers the current requests and exits.
            """
    )

    @Option(help: ArgumentHelp("The configuration file. Default: config/collector.yaml.", valueName: "path"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The address to listen on; or COLLECTOR_LISTEN. Default: 127.0.0.1:8080.",
            valueName: "host:port"
        ),
        transform: SettingText.listenAddress.value
    )
    var listen: ListenAddress?

    @OptionGroup var kafka: TopicOptions

    @Option(
        help: ArgumentHelp(
            "The topic of stores' events without an install; or KAFKA_DEAD_LETTER_TOPIC. Default: app-events.dlq.",
            valueName: "name"
        ),
        transform: SettingText.topic.value
    )
    var deadLetterTopic: String?

    func run() async throws {
        let report = FailureReport(command: "event-collector") { error in
            switch error {
            case is ConfigurationError, is KafkaConfigurationError: .configuration
            default: nil
            }
        }
        try await report.reporting {
            let settings = try settings(environment: ProcessInfo.processInfo.environment)
            let logger = Logger.command("event-collector")
            let sink = try Self.sink(settings, logger)
            let keys = WriteKeys(settings.keys)
            let rotation = KeyRotation(keys, logger: logger) { [config] in try Self.file(config).keys }
            let collector = EventCollector(settings: settings, keys: keys, sink: sink, logger: logger)
            var configuration = ServiceGroupConfiguration(
                services: [rotation, collector],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
            // After this time a client that is still sending is disconnected.
            let timeout = max(settings.timeouts.request, settings.timeouts.publish) + .seconds(15)
            configuration.maximumGracefulShutdownDuration = timeout
            do {
                try await ServiceGroup(configuration: configuration).run()
            } catch let error as ListenError {
                throw CommandFailure(.unavailable, "\(error): choose another address with --listen")
            }
        }
    }

    private func settings(environment: [String: String]) throws -> CollectorSettings {
        var settings = try Self.file(config)
        try settings.apply(environment: environment)
        settings.address = listen ?? settings.address
        settings.bootstrapServers = kafka.bootstrapServers ?? settings.bootstrapServers
        settings.topic = kafka.topic ?? settings.topic
        settings.deadLetterTopic = deadLetterTopic ?? settings.deadLetterTopic
        return settings
    }

    private static func sink(_ settings: CollectorSettings, _ logger: Logger) throws -> EventSink {
        do throws(KafkaConfigurationError) {
            return try EventSink.kafka(KafkaProperties.producer(settings), topic: settings.topic, logger: logger)
        } catch {
            throw settings.kafka.error(about: error.property, "\(error)") ?? error
        }
    }

    private static func file(_ path: String?) throws(ConfigurationError) -> CollectorSettings {
        let remedy = "a collector needs write keys: copy config/collector.example.yaml, or name a file with --config"
        return try CollectorFile.read(path: path, remedy: remedy)
    }
}
