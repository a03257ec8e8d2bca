import FunnelServiceSupport
import FunnelStore
package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import OperatorPages
import ServiceLifecycle

/// A service that shows the reports of a store as pages and as JSON, while consumers write the store.
///
/// ```swift
/// let server = FunnelReportServer(
///     settings: try ReportServerSettings(),
///     store: StoreOpening(keepsReaders: false) { try SQLiteFunnelReader(path: "funnels.sqlite") },
///     logger: logger
/// )
/// try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
///
/// It only reads. Where the store cannot be read, it answers 503 with the reason, and tries again with each request. At
/// a graceful shutdown it accepts no more connections and answers the current requests.
package struct FunnelReportServer: Service {
    private let settings: ReportServerSettings
    private let logger: Logger
    private let onListening: @Sendable (Int) -> Void
    private let routes: ReportRoutes

    /// Creates a server. ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - store: opens the store.
    ///   - logger: logs the address, and the server's warnings and errors. It logs no query and no password.
    ///   - onListening: called with the port once the server accepts connections.
    package init(
        settings: ReportServerSettings,
        store: StoreOpening,
        logger: Logger,
        onListening: @escaping @Sendable (_ port: Int) -> Void = { _ in }
    ) {
        self.settings = settings
        self.logger = logger
        self.onListening = onListening
        let metrics = ReportMetrics()
        routes = ReportRoutes(
            desk: ReportDesk(store, limits: settings.limits, metrics: metrics),
            metrics: metrics,
            password: settings.password
        )
    }

    /// Makes the routes, for a server that answers more than these.
    package func router() -> Router<BasicRequestContext> { routes.router() }

    /// Returns the steps of all funnels with their counts, as a piece of HTML.
    ///
    /// - Parameter known: the state of the store that the caller has the piece of.
    /// - Returns: the piece, and the state that it is of; `nil` if the store is in the known state.
    /// - Throws: `StoreError`, and an error if too many requests wait.
    package func steps(unless known: String?) async throws -> (state: String, html: String)? {
        let tag = try await routes.desk.tag()
        guard tag.text != known else { return nil }
        let answer = try await routes.desk.answer(.steps)
        return (answer.tag.text, String(buffer: answer.body))
    }

    /// Runs until a graceful shutdown, or until its task is canceled.
    ///
    /// - Throws: `ListenError` if it cannot listen on its address.
    package func run() async throws {
        let address = settings.address
        let serverLogger = Logger(label: logger.label) { [logger] _ in WarningsOnly(logger) }
        let application = Application(
            router: routes.router(),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [HTTP1GuardInstaller()],
                    idleTimeout: .seconds(30),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 8 * 1024,
                        maxHeaderListSize: 16 * 1024,
                        maxHeaderFieldCount: 64
                    )
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    settings.limits.connections,
                    logger: serverLogger
                )
            ),
            onServerRunning: { [logger, onListening] channel in
                let port = channel.localAddress?.port ?? address.port
                logger.notice("listening on http://\(ListenAddress(host: address.host, port: port))")
                onListening(port)
            },
            logger: serverLogger
        )
        do {
            try await application.run()
        } catch {
            throw ListenError(address: address, error) ?? error
        }
    }
}
