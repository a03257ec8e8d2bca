import HTTPTypes
package import Hummingbird
internal import NIOCore

/// A page for the operators of a service. The raw value is its path.
///
/// ``OperatorPages`` serves all pages at an address of their own. A service with an HTTP server of its own serves them
/// there:
///
/// ```swift
/// if let page = OperatorPage(rawValue: request.uri.path) {
///     return try await page.response(reasonNotReady: { nil }, metrics: registry.page)
/// }
/// ```
package enum OperatorPage: String, Sendable, CaseIterable {
    /// Answers 200 as long as the process answers requests.
    case health = "/healthz"
    /// Answers 200 if the service is ready to work.
    case readiness = "/readyz"
    /// The metrics in Prometheus' text format.
    case metrics = "/metrics"

    /// The service is not ready: answer ``OperatorPage/readiness`` with 503.
    package struct NotReady: Error, Sendable {
        /// Why the service is not ready.
        package let reason: String
    }

    /// The answer 200.
    ///
    /// - Parameters:
    ///   - reasonNotReady: returns why the service is not ready, or `nil` if it is ready.
    ///   - metrics: returns the metrics in Prometheus' text format.
    /// - Throws: ``NotReady`` for ``readiness`` if the service is not ready.
    package func response(
        reasonNotReady: () async -> String?,
        metrics: () -> String
    ) async throws(NotReady) -> Response {
        switch self {
        case .health: return Response(text: "ok\n")
        case .readiness:
            if let reason = await reasonNotReady() { throw NotReady(reason: reason) }
            return Response(text: "ready\n")
        case .metrics: return Response(text: metrics(), contentType: "text/plain; version=0.0.4; charset=utf-8")
        }
    }
}

extension Response {
    init(
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
