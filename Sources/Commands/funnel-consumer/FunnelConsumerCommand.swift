import ArgumentParser
import FunnelCommandStores
import FunnelCommandSupport
import FunnelConsumerConfiguration
import FunnelConsumer
import FunnelServiceSupport
import FunnelStore
import FunnelStoreSQLite
import Logging
import Metrics
import OperatorPages
import PrometheusMetrics
import RDKafka
import ServiceLifecycle
import UnixSignals

/// `funnel-consumer`: counts the events of a topic in a store.
@main struct FunnelConsumerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-consumer",
        abstract: "Reads events from Kafka and keeps the funnels' counts in a store.",
        discussion: """
            A flag overrides its environment variable, which overrides the configuration file, which overrides the \
            default. The consumer runs until SIGTERM or SIGINT. Then it commits what it has read and exits. Two variables \
            have no flag: STATE_CACHE_MIB, and LOG_LEVEL, the lowest level that is logged (info).
            """,
        subcommands: [
            ExplainCommand.self, VerifyCommand.self, RebuildCommand.self, DeadLettersCommand.self, EraseCommand.self,
        ]
    )

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp(
            "The consumer group; or KAFKA_GROUP_ID. Default: funnel-consumer, for PostgreSQL with the store's id.",
            valueName: "name"
        ),
        transform: { text in
            guard !text.isEmpty else { throw ValidationError("expected a name") }
            return text
        }
    )
    var groupID: String?

    @Option(
        help: ArgumentHelp(
            "The port of /healthz, /readyz and /metrics; or METRICS_PORT. Default: off.",
            valueName: "port"
        )
    )
    var metricsPort: UInt16?

    @Option(
        help: ArgumentHelp("The IP address of that port; or METRICS_HOST. Default: 127.0.0.1.", valueName: "address"),
        transform: SettingText.ipAddress.value
    )
    var metricsHost: String?

    @Flag(help: "Read up to the end offsets at the start, commit and exit.")
    var exitAtEnd = false

    func run() async throws {
        FreedMemory.shareAmongThreads()
        try await FailureReport.funnelConsumer.reporting {
            let flags = ConsumerLayer(groupID: groupID, metricsPort: metricsPort, metricsHost: metricsHost)
            let settings = try connection.settings(adding: flags)
            let logger = Logger.command("funnel-consumer")
            // Before the store is opened, so that a mistake in the configuration leaves no empty store behind.
            let options = try settings.consumerOptions(exitsAtEnd: exitAtEnd, logger)
            let store = try settings.store.openStore(
                onOutage: { Self.log($0, logger) },
                onVacuum: { Self.log($0, logger) }
            )
            let consumer = FunnelConsumer(options: options, store: store, logger: logger)
            var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
                .init(service: consumer, successTerminationBehavior: .gracefullyShutdownGroup)
            ]
            // The first service ends last, so that the pages show a shutdown to its end.
            if let pages = Self.pages(of: consumer, settings, logger) { services.insert(.init(service: pages), at: 0) }
            do {
                try await Self.group(services, settings, logger).run()
            } catch let error as ListenError {
                let remedy = "choose another with --metrics-port and --metrics-host, or leave metrics off"
                throw CommandFailure(.unavailable, "\(error): \(remedy)")
            }
            try store.close()
        }
    }

    private static func log(_ outage: StoreOutage, _ logger: Logger) {
        switch outage {
        case .lasting(let error, let duration):
            logger.warning(
                "the store is not available; trying again",
                metadata: ["seconds": "\(duration.components.seconds)", "error": "\(error)"]
            )
        case .over(let duration):
            logger.notice("the store is available again", metadata: ["seconds": "\(duration.components.seconds)"])
        }
    }

    private static func log(_ vacuum: SQLiteVacuum, _ logger: Logger) {
        let milliseconds = "\(Int64(vacuum.duration / .milliseconds(1)))"
        guard let failure = vacuum.failure else {
            logger.notice(
                "the store's file was rewritten, so that it has no trace of erased installs",
                metadata: ["milliseconds": "\(milliseconds)"]
            )
            return
        }
        logger.error(
            "the store's file may have traces of erased installs: it could not be rewritten. A later commit tries again",
            metadata: ["milliseconds": "\(milliseconds)", "error": "\(failure)"]
        )
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
        // The consumer ends within its own timeout; this limit is for the pages.
        configuration.maximumGracefulShutdownDuration = settings.shutdownTimeout + .seconds(3)
        configuration.maximumCancellationDuration = .seconds(3)
        return ServiceGroup(configuration: configuration)
    }
}
