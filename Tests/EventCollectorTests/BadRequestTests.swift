import FlowTestSupport
import Testing

@testable import EventCollector

/// Every bad request of the protocol's article gets the documented status and message.
@Suite(.waits, .timeLimit(.minutes(10))) struct BadRequestTests {
    struct Request: Sendable {
        var arguments: [String] = []
        var body = Array("[]".utf8)
        var type: String? = "application/cloudevents-batch+json"
        var authorization: String? = "Bearer \(secret)"
        var path = "/v1/events"
    }

    private static let megabyte = [UInt8](repeating: 0x20, count: 1_048_577)

    private static let requests: [String: Request] = [
        "no write key": Request(authorization: nil),
        "a write key that is not valid": Request(authorization: "Bearer \(secret)x"),
        "another scheme than Bearer": Request(authorization: "Basic \(secret)"),
        "another address": Request(path: "/v2/events"),
        "GET": Request(arguments: ["-X", "GET"]),
        "PUT": Request(arguments: ["-X", "PUT"]),
        "no content type": Request(type: nil),
        "application/json": Request(type: "application/json"),
        "another charset": Request(type: "application/cloudevents-batch+json; charset=latin1"),
        "binary mode with data that is not JSON by its type": Request(
            arguments: ["-H", "ce-specversion: 1.0", "-H", "ce-id: 1"],
            type: "text/xml"
        ),
        "binary mode with data that is not JSON": Request(
            arguments: ["-H", "ce-specversion: 1.0", "-H", "ce-id: 1"],
            body: Array("{".utf8),
            type: "application/json"
        ),
        "another encoding than gzip": Request(arguments: ["-H", "Content-Encoding: br"]),
        "no gzip although it says so": Request(arguments: ["-H", "Content-Encoding: gzip"]),
        "gzip that is cut off": Request(
            arguments: ["-H", "Content-Encoding: gzip"],
            body: gzip(Array("[]".utf8)).dropLast(3)
        ),
        "gzip of too many members": Request(
            arguments: ["-H", "Content-Encoding: gzip"],
            body: Array([[UInt8]](repeating: gzip([]), count: 1001).joined())
        ),
        "nothing": Request(body: []),
        "JSON that is cut off": Request(body: Array("[{}".utf8)),
        "JSON and something behind it": Request(body: Array("[]]".utf8)),
        "no UTF-8": Request(body: [0x5B, 0x22, 0xFF, 0x22, 0x5D]),
        "one event as a batch": Request(body: Array("{}".utf8)),
        "a batch as one event": Request(type: "application/cloudevents+json"),
        "too many events": Request(
            body: Array("[\([String](repeating: "1", count: 1001).joined(separator: ","))]".utf8)
        ),
        "too many bytes": Request(body: megabyte),
        "too many bytes, chunked": Request(arguments: ["-H", "Transfer-Encoding: chunked"], body: megabyte),
        "a gzip bomb": Request(
            arguments: ["-H", "Content-Encoding: gzip"],
            body: gzip([UInt8](repeating: 0x20, count: 100_000_000))
        ),
    ]

    // These need a collector with other settings, a slow client, or no Kafka. Other tests cover their answers.
    private static let problems: [String: Problem] = [
        "a body that never ends": .tooSlow,
        "more than the key may send": .tooMany(after: .seconds(1)),
        "too many bad requests without a key": .tooManyFailures(after: .seconds(1)),
        "more bytes than there is memory": .noMemory,
        "too many requests of one key at once": .tooManyAtOnce,
        "too many requests of all keys at once": .tooManyConnections,
        "events while Kafka is away": CollectorResponder.notAcknowledged,
    ]

    @Test func `each bad request gets the documented status and message`() async throws {
        let documented = try ProtocolArticle.table(after: "### Bad requests")
        let names = documented.map { $0[0] }
        #expect(Set(names) == Set(Self.requests.keys).union(Self.problems.keys))
        #expect(Set(names).count == names.count)
        try await RunningCollector.with { collector in
            for row in documented {
                let (name, status, detail) = (row[0], row[1], row[2])
                if let problem = Self.problems[name] {
                    #expect("\(problem.status)" == status && problem.detail == detail, "\(name)")
                    continue
                }
                let request = try #require(Self.requests[name])
                let answer = try await collector.send(request)
                #expect("\(answer.status)" == status, "\(name): \(answer.body)")
                #expect(try answer.problem().detail == detail, "\(name)")
                #expect(try answer.problem().status == answer.status, "\(name)")
                #expect(answer.headers["content-type"] == "application/problem+json", "\(name)")
                #expect(answer.headers["edge-time"] != nil, "\(name)")
                #expect(answer.headers["allow"] == (answer.status == 405 ? "POST" : nil), "\(name)")
                #expect(answer.headers["www-authenticate"] == (answer.status == 401 ? "Bearer" : nil), "\(name)")
            }
            #expect(try collector.records().isEmpty)
        }
    }

    @Test func `every status of an answer is documented`() throws {
        let all = [
            Problem.badRequest(""), .unauthorized, .notFound, .methodNotAllowed("POST"), .tooSlow, .tooLarge(""),
            .mediaType(""), .tooMany(after: .seconds(1)), .unavailable(""),
        ]
        let documented = Set(
            try ProtocolArticle.table(after: "### Other responses").flatMap { row in
                row[0].split(separator: ", ").compactMap { Int($0) }
            }
        )
        // A proxy may answer 403 or 425. The collector itself never does, but its clients must handle it.
        #expect(documented == Set(all.map(\.status)).union([403, 425]))
    }
}

extension RunningCollector {
    fileprivate func send(_ request: BadRequestTests.Request) async throws -> Answer {
        // curl omits a header without a value.
        let headers = [
            "Content-Type:" + (request.type.map { " \($0)" } ?? ""),
            "Authorization:" + (request.authorization.map { " \($0)" } ?? ""),
        ]
        let url = "http://127.0.0.1:\(port)\(request.path)"
        let arguments = headers.flatMap { ["-H", $0] } + request.arguments + ["--data-binary", "@-", url]
        return try await Answer(curl: arguments, input: request.body)
    }
}
