import HTTPTypes
internal import Hummingbird

/// [Cross-origin requests](https://fetch.spec.whatwg.org/#http-cors-protocol) from the configured origins.
///
/// Hummingbird's middleware takes its origins as variadic arguments, so that they cannot come from a file.
struct CORS: Sendable {
    private let origins: Set<String>

    init(origins: [String]) {
        self.origins = Set(origins)
    }

    /// Adds the headers that let a page of an allowed origin read the answer.
    func add(to headers: inout HTTPFields, for request: HTTPFields) {
        guard !origins.isEmpty else { return }
        headers[.vary] = "Origin"
        guard let origin = request[.origin], origins.contains(origin) else { return }
        headers[.accessControlAllowOrigin] = origin
        headers[.accessControlExposeHeaders] = "Edge-Time, Retry-After"
    }

    /// The answer to a browser's preflight request; `nil` if the origin is not allowed.
    func preflight(_ request: HTTPFields) -> HTTPFields? {
        guard let origin = request[.origin], origins.contains(origin) else { return nil }
        return [
            .accessControlAllowMethods: "POST",
            .accessControlAllowHeaders: "Authorization, Content-Type, Content-Encoding",
            .accessControlMaxAge: "7200",
        ]
    }
}
