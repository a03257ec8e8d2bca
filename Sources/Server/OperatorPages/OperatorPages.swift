import HTTPTypes
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle

/// The pages of a service for those who run it: `/healthz`, `/readyz` and `/metrics`.
///
/// `/healthz` answers 200 for as long as the process serves at all. `/readyz` answers 200 or, with the reason as its
/// text, 503. There is no authentication: listen on a loopback address, or where only a monitoring network reaches it.
public struct OperatorPages: Service {
    private let host: String
    private let port: UInt16
    private let reasonNotReady: @Sendable () async -> String?
    private let metrics: @Sendable () -> String
    private let onListening: @Sendable (UInt16) -> Void
    private let logger: Logger

    /// Creates pages that are not served yet.
    ///
    /// - Parameters:
    ///   - host: the IPv4 or IPv6 address to listen on.
    ///   - port: the TCP port; 0 for any that is free.
    ///   - reasonNotReady: why the service is not ready; `nil` where it is.
    ///   - metrics: Prometheus' text format.
    ///   - onListening: is told the port once it is listened on.
    public init(
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

    /// Serves until a graceful shutdown or its task is canceled.
    ///
    /// - Throws: ``OperatorPagesError`` where the address cannot be listened on.
    public func run() async throws {
        // A name would be looked up, and might lead to an address that is not meant to be served on.
        guard (try? SocketAddress(ipAddress: host, port: Int(port))) != nil else {
            throw OperatorPagesError(host: host, port: port, reason: "it is not an IP address")
        }
        var quiet = logger
        // Hummingbird's lines about requests have no place beside the service's.
        quiet.logLevel = max(logger.logLevel, .warning)
        let application = Application(
            router: router(),
            configuration: ApplicationConfiguration(address: .hostname(host, port: Int(port))),
            onServerRunning: { [host, port, logger, onListening] channel in
                let port = channel.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? port
                logger.info("serving /healthz, /readyz and /metrics", metadata: ["host": "\(host)", "port": "\(port)"])
                onListening(port)
            },
            logger: quiet
        )
        do {
            try await application.run()
        } catch let error as IOError {
            throw OperatorPagesError(host: host, port: port, reason: "\(error)")
        }
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("/healthz") { _, _ in Response(text: "ok\n") }
        router.get("/readyz") { [reasonNotReady] _, _ in
            guard let reason = await reasonNotReady() else { return Response(text: "ready\n") }
            return Response(text: "\(reason)\n", status: .serviceUnavailable)
        }
        router.get("/metrics") { [metrics] _, _ in
            Response(text: metrics(), contentType: "text/plain; version=0.0.4; charset=utf-8")
        }
        return router
    }
}

extension Response {
    fileprivate init(
        text: String,
        status: HTTPResponse.Status = .ok,
        contentType: String = "text/plain; charset=utf-8"
    ) {
        self.init(
            status: status,
            headers: [.contentType: contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
