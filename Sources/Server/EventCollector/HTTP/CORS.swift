import HTTPTypes
import Hummingbird

/// [Cross-origin requests](https://fetch.spec.whatwg.org/#http-cors-protocol) of the origins that are configured.
///
/// Hummingbird's middleware takes a list of origins only as it stands in the source, not from a file.
struct CORS: Sendable {
    private let origins: Set<String>

    init(origins: [String]) {
        self.origins = Set(origins)
    }

    /// Adds to an answer what lets a page of an allowed origin read it.
    func add(to headers: inout HTTPFields, for request: HTTPFields) {
        guard !origins.isEmpty else { return }
        headers[.vary] = "Origin"
        guard let origin = request[.origin], origins.contains(origin) else { return }
        headers[.accessControlAllowOrigin] = origin
        headers[.accessControlExposeHeaders] = "Edge-Time, Retry-After"
    }

    /// What a browser asks before it posts; `nil` where the origin is not allowed.
    func preflight(_ request: HTTPFields) -> HTTPFields? {
        guard let origin = request[.origin], origins.contains(origin) else { return nil }
        return [
            .accessControlAllowMethods: "POST",
            .accessControlAllowHeaders: "Authorization, Content-Type, Content-Encoding",
            .accessControlMaxAge: "7200",
        ]
    }
}
