import FlowEvents

/// An answer that is not 200: `application/problem+json`, [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457).
struct Problem: Error, Sendable, Hashable {
    /// The status code.
    let status: Int
    /// The reason phrase of the status.
    let title: String
    /// What is wrong and what was expected, for people. It contains nothing from an event.
    var detail: String
    /// The value of `Retry-After`, in seconds.
    var retryAfter: Int?
    /// The methods that the path allows, for `Allow`.
    var allowedMethods: String?
    /// Whether the connection is closed after the answer.
    var closesConnection = false

    static func badRequest(_ detail: String) -> Problem {
        Problem(status: 400, title: "Bad Request", detail: detail)
    }

    static let unauthorized = Problem(
        status: 401,
        title: "Unauthorized",
        detail: "Authorization: expected 'Bearer' and a valid write key"
    )

    static let notFound = Problem(status: 404, title: "Not Found", detail: "events are posted to /v1/events")

    static func methodNotAllowed(_ allowed: String) -> Problem {
        Problem(status: 405, title: "Method Not Allowed", detail: "expected \(allowed)", allowedMethods: allowed)
    }

    static let tooSlow = Problem(status: 408, title: "Request Timeout", detail: "the body came too slowly")

    static func tooLarge(_ detail: String) -> Problem {
        Problem(status: 413, title: "Content Too Large", detail: detail)
    }

    static func mediaType(_ detail: String) -> Problem {
        Problem(status: 415, title: "Unsupported Media Type", detail: detail)
    }

    static func tooMany(after wait: Duration) -> Problem {
        Problem(
            status: 429,
            title: "Too Many Requests",
            detail: "this write key sent more events than it may; see Retry-After",
            retryAfter: max(1, Int((wait / .seconds(1)).rounded(.up)))
        )
    }

    static func tooManyFailures(after wait: Duration) -> Problem {
        var problem = tooMany(after: wait)
        problem.detail = "this address sent too many requests without a valid write key; see Retry-After"
        problem.closesConnection = true
        return problem
    }

    static let noMemory = unavailable("too many events wait for Kafka")

    static let tooManyAtOnce = unavailable("too many requests with this write key are open")

    static let tooManyConnections: Problem = {
        var problem = unavailable("too many connections are open")
        problem.closesConnection = true
        return problem
    }()

    static func unavailable(_ detail: String) -> Problem {
        Problem(status: 503, title: "Service Unavailable", detail: detail, retryAfter: 5)
    }
}

/// The answer's body.
extension Problem: JSONWritable {
    // The names, the punctuation and the status have less than 50 bytes.
    var sizeWithoutEscapes: Int { 50 + title.utf8.count + detail.utf8.count }

    func write(to json: inout JSONWriter) {
        json.append(#"{"title":"#)
        json.appendString(title)
        json.append(#","status":"#)
        json.append(Double(status))
        json.append(#","detail":"#)
        json.appendString(detail)
        json.append("}")
    }
}
