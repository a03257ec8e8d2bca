import FlowTestSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import FunnelServiceSupport
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import OperatorPages

@Suite(.waits, .timeLimit(.minutes(10))) struct OperatorPagesTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func `healthz answers and the metrics are Prometheus' text`() async throws {
        try await serving(host: "127.0.0.1") { base in
            let alive = try await get(base + "/healthz")
            #expect(alive.status == 200 && alive.body == "ok\n")
            let metrics = try await get(base + "/metrics")
            #expect(metrics.status == 200 && metrics.body == "x 1\n")
            #expect(metrics.type == "text/plain; version=0.0.4; charset=utf-8")
        }
    }

    @Test func `readyz answers 503 with the reason until the service is ready`() async throws {
        let reason = Mutex<String?>("no partitions are assigned yet")
        try await serving(host: "127.0.0.1") {
            reason.withLock { $0 }
        } body: { base in
            let before = try await get(base + "/readyz")
            #expect(before.status == 503 && before.body == "no partitions are assigned yet\n")
            reason.withLock { $0 = nil }
            let after = try await get(base + "/readyz")
            #expect(after.status == 200 && after.body == "ready\n")
        }
    }

    @Test func `HEAD answers like GET without the text, and other methods are refused`() async throws {
        try await serving(host: "127.0.0.1") { base in
            for path in ["/healthz", "/readyz", "/metrics"] {
                let head = try await get(base + path, method: "HEAD")
                #expect(head.status == 200 && head.body.isEmpty, "\(path)")
                for method in ["POST", "PUT", "DELETE"] {
                    let refusal = try await get(base + path, method: method)
                    #expect(refusal.status == 405 && refusal.allow == "GET, HEAD", "\(method) \(path)")
                }
            }
        }
    }

    @Test func `there are no other pages`() async throws {
        try await serving(host: "127.0.0.1") { base in
            for path in ["/", "/metrics/more", "/metrics/../etc/passwd"] {
                let answer = try await get(base + path)
                #expect(answer.status == 404)
            }
        }
    }

    @Test func `a port that is in use is named in the error`() async throws {
        try await serving(host: "127.0.0.1") { base in
            let port = try #require(URL(string: base)?.port)
            let second = pages(host: "127.0.0.1", port: UInt16(port))
            let error = try await #require(throws: ListenError.self) { try await second.run() }
            #expect(error.description.contains("127.0.0.1:\(port)"))
        }
    }

    @Test func `a host name is refused`() async throws {
        let error = try await #require(throws: ListenError.self) {
            try await pages(host: "everywhere", port: 0).run()
        }
        #expect(error.description.contains("not an IP address"))
    }

    private func pages(
        host: String,
        port: UInt16,
        reason: @escaping @Sendable () async -> String? = { nil },
        onListening: @escaping @Sendable (UInt16) -> Void = { _ in }
    ) -> OperatorPages {
        OperatorPages(
            host: host,
            port: port,
            reasonNotReady: reason,
            metrics: { "x 1\n" },
            logger: logger,
            onListening: onListening
        )
    }

    /// Serves the pages while `body` runs, followed by a graceful shutdown.
    private func serving(
        host: String,
        reason: @escaping @Sendable () async -> String? = { nil },
        body: (String) async throws -> Void
    ) async throws {
        let (ports, continuation) = AsyncStream<UInt16>.makeStream()
        let pages = pages(host: host, port: 0, reason: reason) { continuation.yield($0) }
        let group = ServiceGroup(services: [pages], logger: logger)
        let running = Task { try await group.run() }
        let port = try #require(await ports.first { _ in true })
        try await body("http://\(host):\(port)")
        await group.triggerGracefulShutdown()
        try await running.value
    }

    private struct Answer {
        var status: Int
        var body: String
        var type: String?
        var allow: String?
    }

    private func get(_ url: String, method: String = "GET") async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.setValue("close", forHTTPHeaderField: "Connection")
        // Other tests may hold all threads of the pool for a while.
        request.timeoutInterval = 300
        let (data, response) = try await URLSession.shared.data(for: request)
        let answer = try #require(response as? HTTPURLResponse)
        return Answer(
            status: answer.statusCode,
            body: String(decoding: data, as: UTF8.self),
            type: answer.value(forHTTPHeaderField: "Content-Type"),
            allow: answer.value(forHTTPHeaderField: "Allow")
        )
    }
}
