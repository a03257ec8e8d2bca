public import EventTracking
import Foundation
import FunnelServiceSupport
internal import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
internal import NIOCore
import NIOSSL
import OperatorPages
public import ServiceLifecycle
import YAMLNodes

/// A service that takes events over HTTP and answers when Kafka has acknowledged them.
///
/// ```swift
/// let sink = try EventSink.kafka(KafkaProperties.producer(settings), topic: settings.topic)
/// let keys = WriteKeys(settings.keys)
/// let collector = EventCollector(settings: settings, keys: keys, sink: sink, logger: logger)
/// try await ServiceGroup(services: [collector], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
///
/// It starts without Kafka, and is not ready then. At a graceful shutdown it accepts no more connections, answers the
/// current requests, and shuts the sink down.
public struct EventCollector: Service {
    private let settings: CollectorSettings
    private let sink: EventSink
    private let logger: Logger
    private let onListening: @Sendable (Int) -> Void
    private let responder: CollectorResponder
    private let readiness: Readiness

    /// Creates a collector. ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - keys: the valid write keys, which may be replaced while the collector runs.
    ///   - sink: takes the events. The collector acknowledges only the events that the sink delivers. ``run()`` shuts
    ///     the sink down.
    ///   - logger: logs no content of an event and no secret of a write key.
    ///   - onListening: called with the port once the collector accepts connections.
    public init(
        settings: CollectorSettings,
        keys: WriteKeys,
        sink: EventSink,
        logger: Logger,
        onListening: @escaping @Sendable (_ port: Int) -> Void = { _ in }
    ) {
        self.init(
            settings: settings,
            keys: keys,
            sink: sink,
            companion: nil,
            logger: logger,
            onListening: onListening
        )
    }

    /// Creates a collector inside another server, which answers more requests at its address and sees what it refuses.
    package init(
        settings: CollectorSettings,
        keys: WriteKeys,
        sink: EventSink,
        companion: CollectorCompanion?,
        logger: Logger,
        onListening: @escaping @Sendable (_ port: Int) -> Void
    ) {
        self.settings = settings
        self.sink = sink
        self.logger = logger
        self.onListening = onListening
        let readiness = Readiness()
        self.readiness = readiness
        let limits = settings.limits
        let rates = RateLimiter(perSecond: Double(limits.eventsPerSecond))
        let budget = MemoryBudget(
            limit: limits.pendingSize,
            limitPerKey: limits.pendingSizePerKey,
            requestsPerKey: max(1, limits.connections / 2)
        )
        let connections = ConnectionTable(limit: limits.connections)
        let metrics = CollectorMetrics()
        responder = CollectorResponder(
            keys: keys,
            sink: sink,
            // At most one body is parsed on each processor at a time.
            readers: ReaderPool(limit: ProcessInfo.processInfo.activeProcessorCount),
            limits: limits,
            rates: rates,
            failures: RateLimiter(perSecond: Double(limits.failuresPerSecond)),
            budget: budget,
            erasureBudget: MemoryBudget(
                limit: 1_048_576,
                limitPerKey: 524_288,
                requestsPerKey: max(1, limits.connections / 4)
            ),
            connections: connections,
            metrics: metrics,
            readiness: readiness,
            cors: CORS(origins: settings.origins),
            webhooks: WebhookResponder(
                settings,
                sink: sink,
                rates: rates,
                budget: budget,
                connections: connections,
                metrics: metrics,
                logger: logger
            ),
            companion: companion
        )
    }

    /// Runs until a graceful shutdown.
    ///
    /// - Throws: `ConfigurationError` for a certificate that cannot be used, and `ListenError` if the
    ///   collector cannot listen on its address.
    public func run() async throws {
        let probe = BrokerProbe(
            configuration: KafkaProperties.probe(settings),
            topic: settings.topic,
            readiness: readiness,
            logger: logger
        )
        // Without Hummingbird's line for each request.
        let serverLogger = Logger(label: logger.label) { _ in WarningsOnly(logger) }
        let application = Application(
            responder: responder,
            server: try server(),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.address.host, port: settings.address.port)
            ),
            services: [probe],
            onServerRunning: { [logger, settings, onListening] channel in
                let port = channel.localAddress?.port ?? settings.address.port
                logger.notice("listening on \(ListenAddress(host: settings.address.host, port: port))")
                onListening(port)
            },
            logger: serverLogger
        )
        do {
            try await withGracefulShutdownHandler {
                try await application.run()
            } onGracefulShutdown: { [readiness] in
                readiness.drain()
            }
        } catch {
            await close()
            throw ListenError(address: settings.address, error) ?? error
        }
        await close()
    }

    private func close() async {
        await sink.shutdown()
        await responder.webhooks.deadLetters.close()
    }

    private func server() throws -> HTTPServerBuilder {
        let (timeouts, connections) = (settings.timeouts, responder.connections)
        let http = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [
                    HTTP1GuardInstaller(),
                    ConnectionHandler(timeouts: timeouts, connections: connections, cors: responder.cors),
                ],
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
            throw ConfigurationError(source: tls.certificate, message: "expected a certificate in PEM: \(error)")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: tls.key, format: .pem)
        } catch {
            throw ConfigurationError(source: tls.key, message: "expected a private key in PEM: \(error)")
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
