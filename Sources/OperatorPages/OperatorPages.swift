import FlyingFox
import FlyingSocks
import Foundation
public import Logging
public import ServiceLifecycle

/// The pages of a service for those who run it: `/healthz`, `/readyz` and `/metrics`.
///
/// `/healthz` answers 200 for as long as the process serves at all. `/readyz` answers 200 or, with the reason as its
/// text, 503. There is no authentication: listen on a loopback address, or where only a monitoring network reaches it.
///
/// FlyingFox, because Hummingbird's dependencies take minutes to compile, which three small pages do not justify.
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
        let server = try server()
        await addRoutes(to: server)
        let announcement = Task {
            try await server.waitUntilListening()
            let port =
                switch await server.listeningAddress {
                case .ip4(_, let port), .ip6(_, let port): port
                default: self.port
                }
            logger.info("serving /healthz, /readyz and /metrics", metadata: ["host": "\(host)", "port": "\(port)"])
            onListening(port)
        }
        defer { announcement.cancel() }
        let isStopping = Stopping()
        try await withTaskCancellationOrGracefulShutdownHandler {
            do {
                try await server.run()
            } catch  where isStopping.value {
                return
            } catch {
                throw OperatorPagesError(host: host, port: port, reason: "\(error)")
            }
        } onCancelOrGracefulShutdown: {
            isStopping.set()
            Task { await server.stop(timeout: 1) }
        }
    }

    private func server() throws(OperatorPagesError) -> HTTPServer {
        do {
            if host.contains(":") {
                return HTTPServer(address: try .inet6(ip6: host, port: port), logger: .disabled)
            }
            return HTTPServer(address: try .inet(ip4: host, port: port), logger: .disabled)
        } catch {
            throw OperatorPagesError(host: host, port: port, reason: "it is not an IP address")
        }
    }

    private func addRoutes(to server: HTTPServer) async {
        await server.appendRoute("GET /healthz") { _ in .text("ok\n") }
        await server.appendRoute("GET /readyz") { [reasonNotReady] _ in
            guard let reason = await reasonNotReady() else { return .text("ready\n") }
            return .text("\(reason)\n", status: .serviceUnavailable)
        }
        await server.appendRoute("GET /metrics") { [metrics] _ in
            .text(metrics(), contentType: "text/plain; version=0.0.4; charset=utf-8")
        }
    }
}

extension HTTPResponse {
    fileprivate static func text(
        _ text: String,
        status: HTTPStatusCode = .ok,
        contentType: String = "text/plain; charset=utf-8"
    ) -> HTTPResponse {
        HTTPResponse(
            statusCode: status,
            headers: [.contentType: contentType, HTTPHeader("Cache-Control"): "no-store"],
            body: Data(text.utf8)
        )
    }
}
