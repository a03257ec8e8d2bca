import EventTracking
import ArgumentParser
import EventCollector
import FunnelServiceSupport
import Hummingbird
import HummingbirdCore
import KafkaSink
import Logging
import ServiceLifecycle
import UnixSignals
import YAMLNodes

/// `event-collector-bench`: runs a collector, and for comparison a bare Hummingbird route that reads the same bodies.
///
/// Benchmarks/collector.py sends load to one, then to the other.
@main struct CollectorBench: AsyncParsableCommand {
    @Option(help: "The brokers.")
    var bootstrapServers: String

    @Option(help: "The port of the collector.")
    var port = 18_080

    @Option(help: "The port of the bare route.")
    var barePort = 18_081

    @Option(help: "A property of librdkafka's producer, NAME=VALUE. May be repeated.")
    var kafka: [String] = []

    func run() async throws {
        var settings = CollectorSettings()
        for property in kafka {
            let parts = property.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw ValidationError("--kafka \(property): expected NAME=VALUE") }
            settings.kafka[parts[0]] = parts[1]
        }
        settings.address = ListenAddress(host: "127.0.0.1", port: port)
        settings.bootstrapServers = bootstrapServers
        settings.limits.eventsPerSecond = 1_000_000_000
        settings.keys = [WriteKey(name: "bench", secret: "bench-secret-0123456789", sources: ["app://bench"])]
        var logger = Logger(label: "event-collector-bench") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let collector = EventCollector(
            settings: settings,
            keys: WriteKeys(settings.keys),
            sink: try .kafka(KafkaProperties.producer(settings), topic: settings.topic, logger: logger),
            logger: logger
        )
        let router = Router()
        router.post("v1/events") { request, _ in
            let body = try await request.body.collect(upTo: 1_048_576)
            return "\(body.readableBytes)"
        }
        let bare = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: barePort)),
            logger: logger
        )
        let group = ServiceGroup(
            services: [collector, bare],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        try await group.run()
    }
}
