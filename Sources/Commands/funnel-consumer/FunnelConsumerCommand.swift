import ArgumentParser
import FunnelCommandStores
import FunnelCommandSupport
import FunnelConsumerConfiguration
import FunnelConsumer
import FunnelFile
import FunnelStore
import Logging
import Metrics
import OperatorPages
import PrometheusMetrics
import ServiceLifecycle
import UnixSignals

/// `funnel-consumer`: counts a topic's events into a store.
@main struct FunnelConsumerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-consumer",
        abstract: "Reads events from Kafka and keeps the funnels' counts in a store.",
        discussion: """
            A setting comes from its flag, else from its environment variable, else from the configuration file, else \
            it is the default. It runs until SIGTERM or SIGINT, then commits what it has read.
            """,
        subcommands: [VerifyCommand.self, RebuildCommand.self, DeadLettersCommand.self]
    )

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("The consumer group; or KAFKA_GROUP_ID. funnel-consumer.", valueName: "name"))
    var groupID: String?

    @Option(
        help: ArgumentHelp("The port of /healthz, /readyz and /metrics; or METRICS_PORT. Off.", valueName: "port")
    )
    var metricsPort: UInt16?

    @Option(help: ArgumentHelp("The IP address of that port; or METRICS_HOST. 127.0.0.1.", valueName: "address"))
    var metricsHost: String?

    @Flag(help: "Read up to the end offsets seen at the start, commit and exit.")
    var exitAtEnd = false

    func run() async throws {
        try await FailureReport.funnelConsumer.reporting {
            let flags = ConsumerLayer(groupID: groupID, metricsPort: metricsPort, metricsHost: metricsHost)
            let settings = try connection.settings(adding: flags)
            let logger = Logger.command()
            let readFunnels = { @Sendable in try FunnelsFile.read(path: settings.funnels) }
            var options = FunnelConsumerOptions(
                kafka: settings.kafkaConfiguration(logger),
                topic: settings.topic,
                deadLetterTopic: settings.deadLetterTopic,
                groupID: settings.groupID,
                funnels: try readFunnels(),
                allowedLateness: settings.allowedLateness,
                exitsAtEnd: exitAtEnd
            )
            options.rereadFunnels = readFunnels
            options.shutdownTimeout = settings.shutdownTimeout
            options.cacheBytes = settings.stateCacheMebibytes << 20
            // A mistake in the configuration is not to leave an empty store behind.
            try options.check()
            let store = try settings.store.openStore()
            let consumer = FunnelConsumer(options: options, store: store, logger: logger)
            var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
                .init(service: consumer, successTerminationBehavior: .gracefullyShutdownGroup)
            ]
            // First, so that it is the last to go: a shutdown can be watched to its end.
            if let pages = Self.pages(of: consumer, settings, logger) { services.insert(.init(service: pages), at: 0) }
            do {
                try await Self.group(services, settings, logger).run()
            } catch let error as OperatorPagesError {
                let remedy = "choose another with --metrics-port and --metrics-host, or leave metrics off"
                throw CommandFailure(.unavailable, "\(error): \(remedy)")
            }
            try store.close()
        }
    }

    private static func pages(
        of consumer: FunnelConsumer,
        _ settings: ConsumerSettings,
        _ logger: Logger
    ) -> OperatorPages? {
        guard let port = settings.metricsPort else { return nil }
        let registry = PrometheusRegistry(help: FunnelConsumerMetrics.help)
        MetricsSystem.bootstrap(registry)
        return OperatorPages(
            host: settings.metricsHost,
            port: port,
            reasonNotReady: consumer.reasonNotReady,
            metrics: registry.page,
            logger: logger
        )
    }

    private static func group(
        _ services: [ServiceGroupConfiguration.ServiceConfiguration],
        _ settings: ConsumerSettings,
        _ logger: Logger
    ) -> ServiceGroup {
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        // The consumer ends by itself in its time; this is for the pages beside it.
        configuration.maximumGracefulShutdownDuration = settings.shutdownTimeout + .seconds(3)
        configuration.maximumCancellationDuration = .seconds(3)
        return ServiceGroup(configuration: configuration)
    }
}
