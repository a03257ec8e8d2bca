public import EventTracking
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOSSL
public import ServiceLifecycle
import YAMLNodes

/// The service: takes events over HTTP and answers when Kafka has them.
///
/// ```swift
/// let sink = try EventSink.kafka(KafkaProperties.producer(settings), topic: settings.topic)
/// let keys = WriteKeys(settings.keys)
/// let collector = EventCollector(settings: settings, keys: keys, sink: sink, logger: logger)
/// try await ServiceGroup(services: [collector], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
///
/// It starts without Kafka and is not ready then. At a graceful shutdown it takes no more connections, answers the
/// requests that it has, and shuts the sink down.
public struct EventCollector: Service {
    private let settings: CollectorSettings
    private let sink: EventSink
    private let logger: Logger
    private let onListening: @Sendable (Int) -> Void
    private let responder: CollectorResponder
    private let readiness: Readiness

    /// Creates a collector that does nothing yet.
    ///
    /// - Parameters:
    ///   - settings: what it runs with.
    ///   - keys: the write keys that are valid, which may change.
    ///   - sink: where events go. What it does not deliver is not acknowledged. ``run()`` shuts it down.
    ///   - logger: gets no content of an event and no write key.
    ///   - onListening: told the port when connections are taken.
    public init(
        settings: CollectorSettings,
        keys: WriteKeys,
        sink: EventSink,
        logger: Logger,
        onListening: @escaping @Sendable (_ port: Int) -> Void = { _ in }
    ) {
        self.settings = settings
        self.sink = sink
        self.logger = logger
        self.onListening = onListening
        let readiness = Readiness()
        self.readiness = readiness
        responder = CollectorResponder(
            keys: keys,
            sink: sink,
            // As many bodies are taken apart at a time as there are processors.
            readers: ReaderPool(limit: ProcessInfo.processInfo.activeProcessorCount),
            limits: settings.limits,
            rates: RateLimiter(eventsPerSecond: Double(settings.limits.eventsPerSecond)),
            budget: MemoryBudget(limit: settings.limits.pendingSize),
            metrics: CollectorMetrics(),
            readiness: readiness,
            cors: CORS(origins: settings.origins)
        )
    }

    /// Runs until a graceful shutdown.
    ///
    /// - Throws: `ConfigurationError` for a certificate that cannot be used, ``CollectorStartError`` where the address
    ///   cannot be listened on.
    public func run() async throws {
        let probe = BrokerProbe(
            configuration: KafkaProperties.probe(settings),
            topic: settings.topic,
            readiness: readiness,
            logger: logger
        )
        // Hummingbird's lines about requests have no place beside ours.
        let quiet = Logger(label: logger.label) { _ in WarningsOnly(logger) }
        let application = Application(
            responder: responder,
            server: try server(),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.address.host, port: settings.address.port),
                availableConnectionsDelegate: .maximum(settings.limits.connections, logger: quiet)
            ),
            services: [probe],
            onServerRunning: { [logger, settings, onListening] channel in
                let port = channel.localAddress?.port ?? settings.address.port
                logger.notice("listening on \(settings.address.host):\(port)")
                onListening(port)
            },
            logger: quiet
        )
        do {
            try await withGracefulShutdownHandler {
                try await application.run()
            } onGracefulShutdown: { [readiness] in
                readiness.drain()
            }
        } catch {
            await sink.shutdown()
            if let error = error as? IOError { throw CollectorStartError(settings.address, error) }
            throw error
        }
        await sink.shutdown()
    }

    private func server() throws -> HTTPServerBuilder {
        let timeouts = settings.timeouts
        let http = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [SlowClientHandler(timeouts: timeouts)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8 * 1024,
                    maxHeaderListSize: 32 * 1024,
                    maxHeaderFieldCount: 100
                )
            )
        )
        guard let tls = settings.tls else { return http }
        return try .tls(http, tlsConfiguration: Self.configuration(tls))
    }

    private static func configuration(_ tls: CollectorTLS) throws(ConfigurationError) -> TLSConfiguration {
        let chain: [NIOSSLCertificateSource]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(tls.certificate).map { .certificate($0) }
        } catch {
            throw ConfigurationError(place: tls.certificate, message: "expected a certificate in PEM: \(error)")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: tls.key, format: .pem)
        } catch {
            throw ConfigurationError(place: tls.key, message: "expected a private key in PEM: \(error)")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain,
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }
}
