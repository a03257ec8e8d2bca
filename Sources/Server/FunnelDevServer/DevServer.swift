package import EventCollector
import EventTracking
import FlowEvents
import FunnelConsumer
import FunnelReportServer
import FunnelServiceSupport
import FunnelStore
import FunnelStoreSQLite
package import Funnels
import KafkaSink
import LiveEvents
package import Logging
import RDKafka
import ServiceLifecycle
import UnixSignals

/// The whole way of an event in one process, for an app that is being built: a broker, the collector, the consumer with a
/// store, the reports, and the page of live events.
///
/// ```swift
/// let server = try DevServer(settings, logger: logger) { addresses in print("open http://\(addresses.address)/live") }
/// try await server.run()
/// ```
///
/// Each part is the one that runs in production. What the apps have sent is gone at the end.
package final class DevServer: Sendable {
    /// What a server serves, and where.
    package struct Settings: Sendable {
        /// The address of the collector and of all pages.
        package var address: ListenAddress
        /// The topic of the events.
        package var topic: String
        /// The funnels that are counted.
        package var funnels: [Funnel]
        /// More names of screens that are known.
        package var screens: [String] = []
        /// The key that apps and browsers need; `nil` where only this machine reaches the address.
        package var key: AccessKey?

        /// Creates settings.
        package init(address: ListenAddress, topic: String, funnels: [Funnel]) {
            self.address = address
            self.topic = topic
            self.funnels = funnels
        }

        /// The topic of the dead letters.
        package var deadLetterTopic: String { "\(topic).dlq" }
    }

    /// The bytes that may be in the topic and not read. The broker keeps 5 MiB.
    private static let backlogLimit = 3 << 20
    /// The memory for installs' states between commits. What does not fit is read from the store again.
    private static let cacheBytes = 24 << 20

    private let broker: EmbeddedBroker
    private let scratch: SQLiteScratchStore
    private let services: [any Service]
    private let logger: Logger

    /// Starts the broker and prepares the rest. ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - settings: what is served.
    ///   - logger: logs warnings and errors of all parts.
    ///   - onListening: called once apps can send events.
    /// - Throws: `KafkaError`, `KafkaConfigurationError`, `StoreError`, and `MissingPassword` for an address that other
    ///   machines reach without a key.
    package init(
        _ settings: Settings,
        logger: Logger,
        onListening: @escaping @Sendable (_ addresses: Addresses) -> Void
    ) throws {
        self.logger = logger
        broker = try EmbeddedBroker(logger: logger)
        try broker.createTopic(settings.topic, partitions: 1)
        try broker.createTopic(settings.deadLetterTopic, partitions: 1)
        let kafka: KafkaConfiguration = ["bootstrap.servers": broker.bootstrapServers]

        let backlog = Backlog(limit: Self.backlogLimit)
        let feed = LiveFeed()
        let scratch = try SQLiteScratchStore(at: .temporary)
        self.scratch = scratch
        let tail = TopicTail(
            kafka: kafka,
            topics: .init(events: settings.topic, deadLetters: settings.deadLetterTopic),
            funnels: settings.funnels,
            screens: KnownScreens(funnels: settings.funnels, list: settings.screens),
            into: feed,
            logger: logger
        ) {
            backlog.setReadCount($0, by: .tail)
        }
        let consumer = FunnelConsumer(
            options: Self.options(kafka, settings) { backlog.setReadCount($0, by: .consumer) },
            store: scratch.store,
            logger: logger
        )
        let reports = FunnelReportServer(
            settings: try ReportServerSettings(address: settings.address, password: settings.key?.text),
            store: StoreOpening(keepsReaders: false) { try scratch.reader() },
            logger: logger
        )
        let pages = DevPages(feed: feed, reports: reports, key: settings.key, logger: logger)
        let collectorSettings = Self.collectorSettings(settings, broker.bootstrapServers)
        let collector = EventCollector(
            settings: collectorSettings,
            keys: Self.keys(settings.key),
            sink: try EventSink.kafka(
                KafkaProperties.producer(collectorSettings),
                topic: settings.topic,
                logger: logger
            )
            .holdingBack(by: backlog),
            companion: CollectorCompanion {
                await pages.respond(to: $0, on: $1)
            } onRefusal: {
                feed.append(LiveEvent($0))
            },
            logger: logger
        ) { [bootstrapServers = broker.bootstrapServers] port in
            let address = ListenAddress(host: settings.address.host, port: port)
            onListening(Addresses(address: address, bootstrapServers: bootstrapServers))
        }
        // The last ends first.
        services = [tail, consumer, collector]
    }

    /// Where a server is reached.
    package struct Addresses: Sendable, Hashable {
        /// The address of the collector and of all pages.
        package let address: ListenAddress
        /// The addresses of the Kafka brokers.
        package let bootstrapServers: String
    }

    /// Runs until SIGINT or SIGTERM, and removes the store.
    ///
    /// - Throws: `ListenError`, and the errors of the consumer.
    package func run() async throws {
        defer { scratch.remove() }
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        // What the apps have sent is gone anyway.
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        configuration.maximumCancellationDuration = .seconds(2)
        try await ServiceGroup(configuration: configuration).run()
    }

    private static func keys(_ key: AccessKey?) -> WriteKeys {
        guard let key else { return WriteKeys(acceptingAnyAs: WriteKey(name: "any", secret: "")) }
        return WriteKeys([WriteKey(name: "one-time", secret: key.text)])
    }

    private static func collectorSettings(_ settings: Settings, _ bootstrapServers: String) -> CollectorSettings {
        var collector = CollectorSettings()
        collector.address = settings.address
        collector.bootstrapServers = bootstrapServers
        collector.topic = settings.topic
        collector.deadLetterTopic = settings.deadLetterTopic
        // One app, of which nothing has to be protected but the memory.
        collector.limits.eventsPerSecond = 1_000_000
        collector.limits.pendingSize = 16 << 20
        collector.limits.pendingSizePerKey = 16 << 20
        return collector
    }

    private static func options(
        _ kafka: KafkaConfiguration,
        _ settings: Settings,
        onRead: @escaping @Sendable (Int) -> Void
    ) -> FunnelConsumerOptions {
        var options = FunnelConsumerOptions(
            kafka: kafka,
            topic: settings.topic,
            deadLetterTopic: settings.deadLetterTopic,
            funnels: settings.funnels,
            allowedLateness: .seconds(14 * 86_400),
            exitsAtEnd: false
        )
        options.commitInterval = .milliseconds(200)
        options.cacheBytes = cacheBytes
        options.onRead = onRead
        return options
    }
}

extension LiveEvent {
    /// The entry of what the collector did not take.
    fileprivate init(_ refusal: CollectorRefusal) {
        switch refusal {
        case .request(let path, let status, let detail):
            self.init(refusedRequest: path, status: status, detail: detail, arrival: .current)
        case .event(let value, let reason, let detail):
            self.init(uncounted: value, Finding(.rejected, "\(reason): \(detail)"), arrival: .current)
        }
    }
}
