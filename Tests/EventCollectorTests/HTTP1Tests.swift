import FlowTestSupport
import Foundation
import Testing

@testable import EventCollector

/// What the servers answer to old and to faulty requests of HTTP/1. All servers have these rules from one place.
@Suite(.waits, .timeLimit(.minutes(5))) struct HTTP1Tests {
    private static func answer(to request: String, until ending: String = "never") async throws -> String {
        var answer = ""
        try await RunningCollector.with { collector in
            let client = try RawClient(port: collector.port)
            client.send(Array(request.replacing("\n", with: "\r\n").utf8))
            answer = await client.read(until: ending)
        }
        return answer
    }

    @Test func `a request of HTTP/1.0 is answered in it, and the connection is closed`() async throws {
        let answer = try await Self.answer(to: "GET /healthz HTTP/1.0\n\n")
        #expect(answer.hasPrefix("HTTP/1.0 200 OK\r\n"))
        #expect(answer.lowercased().contains("connection: close"))
        #expect(!answer.lowercased().contains("transfer-encoding"))
    }

    @Test func `a client of HTTP/1.0 that asks for it keeps its connection`() async throws {
        let one = "GET /healthz HTTP/1.0\nHost: a\nConnection: keep-alive\n\n"
        let answer = try await Self.answer(to: one + "GET /healthz HTTP/1.0\n\n")
        #expect(answer.components(separatedBy: "HTTP/1.0 200 OK").count == 3)
        #expect(answer.lowercased().contains("connection: keep-alive"))
    }

    @Test func `events can be posted in HTTP/1.0`() async throws {
        let body = "[\(eventText("1"))]"
        let head = [
            "POST /v1/events HTTP/1.0", "Authorization: Bearer \(secret)",
            "Content-Type: application/cloudevents-batch+json", "Content-Length: \(body.utf8.count)", "", "",
        ]
        let answer = try await Self.answer(to: head.joined(separator: "\n") + body)
        #expect(answer.hasPrefix("HTTP/1.0 200 OK\r\n") && answer.contains("accepted"))
    }

    @Test(arguments: [
        ("GET /healthz HTTP/1.1\n\n", "expected one in a request of HTTP/1.1, found none"),
        ("GET /healthz HTTP/1.1\nHost: a\nHost: b\n\n", "expected one, found 2"),
        ("GET /healthz HTTP/1.0\nHost: a\nHost: a\n\n", "expected one, found 2"),
        ("GET /healthz HTTP/1.1\nHost: a, b\n\n", "expected a name or an address"),
        ("GET /healthz HTTP/1.1\nHost: a/b\n\n", "expected a name or an address"),
    ])
    func `a missing, a doubled and an invalid host are answered with 400, and nothing behind is read`(
        request: String,
        detail: String
    ) async throws {
        let answer = try await Self.answer(to: request + "GET /healthz HTTP/1.1\nHost: a\n\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(answer)")
        #expect(answer.contains(detail) && !answer.contains("200 OK"))
    }

    @Test func `an answer that is under way comes before the refusal of the next request`() async throws {
        let answer = try await Self.answer(to: "GET /healthz HTTP/1.1\nHost: a\n\nGET /healthz HTTP/1.1\n\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("HTTP/1.1 400 Bad Request"))
    }

    @Test func `a host may have a port, and be an address`() async throws {
        for host in ["localhost:8080", "[::1]:8080", "", "example.com"] {
            let answer = try await Self.answer(to: "GET /healthz HTTP/1.1\nHost: \(host)\nConnection: close\n\n")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(host)")
        }
    }
}
