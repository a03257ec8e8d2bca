import FunnelServiceSupport
import HTTPTypes
internal import Hummingbird
import HummingbirdCore
package import Logging
internal import NIOCore
import ServiceLifecycle

/// A service that serves `/healthz`, `/readyz` and `/metrics` at an address of their own.
///
/// `/healthz` answers 200 as long as the process answers requests. `/readyz` answers 200, or 503 with the reason as text.
/// There is no authentication: listen on a loopback address, or on one that only a monitoring network can reach.
package struct OperatorPages: Service {
    private let host: String
    private let port: UInt16
    private let reasonNotReady: @Sendable () async -> String?
    private let metrics: @Sendable () -> String
    private let onListening: @Sendable (UInt16) -> Void
    private let logger: Logger

    /// Creates the service. ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - host: the IPv4 or IPv6 address to listen on.
    ///   - port: the TCP port; 0 for any free port.
    ///   - reasonNotReady: returns why the process is not ready, or `nil` if it is ready.
    ///   - metrics: returns the metrics in Prometheus' text format.
    ///   - logger: logs the address, and the server's warnings and errors.
    ///   - onListening: called with the port once the service listens.
    package init(
        host: String,
        port: UInt16,
        reasonNotReady: @escaping @Sendable () async -> String?,
        metrics: @escaping @Sendable () -> String,
        logger: Logger,
        onListening: @escaping @Sendable (UInt16) -> Void = { _ in }
    ) {
        self.host = host
        self.port = port
        self.reasonNotReady = reasonNotReady
        self.metrics = metrics
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves the pages until a graceful shutdown, or until its task is canceled.
    ///
    /// - Throws: `ListenError` if it cannot listen on the address.
    package func run() async throws {
        let address = ListenAddress(host: host, port: Int(port))
        // A host name could resolve to an address that the operator does not want to serve on.
        guard (try? SocketAddress(ipAddress: host, port: Int(port))) != nil else {
            throw ListenError(address: address, reason: "it is not an IP address")
        }
        let serverLogger = Logger(label: logger.label) { [logger] _ in WarningsOnly(logger) }
        let application = Application(
            router: router(),
            server: .http1(configuration: .init(additionalChannelHandlers: [HTTP1GuardInstaller()])),
            configuration: ApplicationConfiguration(address: .hostname(host, port: Int(port))),
            onServerRunning: { [host, port, logger, onListening] channel in
                let port = channel.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? port
                logger.info("serving /healthz, /readyz and /metrics", metadata: ["host": "\(host)", "port": "\(port)"])
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

    private func router() -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        for page in OperatorPage.allCases {
            for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
                router.on(RouterPath(page.rawValue), method: method) { _, _ in
                    var refusal = Response(text: "expected GET or HEAD\n", status: .methodNotAllowed)
                    refusal.headers[.allow] = "GET, HEAD"
                    return refusal
                }
            }
            router.get(RouterPath(page.rawValue)) { [reasonNotReady, metrics] _, _ in
                do throws(OperatorPage.NotReady) {
                    return try await page.response(reasonNotReady: reasonNotReady, metrics: metrics)
                } catch {
                    return Response(text: "\(error.reason)\n", status: .serviceUnavailable)
                }
            }
        }
        return router
    }
}
