import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import RDKafka
import Testing

/// How `funnel-report serve` starts, answers and ends.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct ServeCommandTests {
    private let pipeline: Pipeline

    init() async throws {
        pipeline = try Pipeline()
        let events = try Fixture.text("events.ndjson").split(separator: "\n")
        try await pipeline.publish(events.map { ProducerMessage(value: Array($0.utf8)) })
        let outcome = try await pipeline.count()
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    private func serve(_ arguments: [String] = [], _ environment: [String: String] = [:]) throws -> Command {
        try Command("funnel-report", ["serve"] + arguments, in: pipeline.directory, environment: environment)
    }

    private func client(of server: Command) async throws -> CollectorClient {
        try await server.says("listening on ")
        let address = try #require(server.errors.firstMatch(of: /listening on (\S+)\n/)?.1)
        return CollectorClient(address: try #require(URL(string: String(address))))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `it answers what the command prints, and ends with 0 at a signal`(signal: Int32) async throws {
        let server = try serve(["--listen", "127.0.0.1:0"])
        let client = try await client(of: server)
        let json = try await client.get("api/v1/funnels")
        #expect(json.status == 200)
        #expect(try await json.body == pipeline.report("--format", "json").output)
        let page = try await client.get("funnels/paywall-to-purchase")
        #expect(page.status == 200 && page.body.contains("<h2 id=\"paywall-to-purchase-h\">"))
        server.send(signal)
        let outcome = try await server.end()
        #expect(outcome.status == 0 && !outcome.isKilled)
        #expect(outcome.output.isEmpty)
    }

    @Test func `it shows what a consumer counts meanwhile`() async throws {
        let server = try serve(["--listen", "127.0.0.1:0"])
        let client = try await client(of: server)
        let before = try Report(try await client.get("api/v1/funnels").body).quality.events
        let event = try #require(try Fixture.text("events.ndjson").split(separator: "\n").first)
        try await pipeline.publish([ProducerMessage(value: Array(event.utf8))])
        #expect(try await pipeline.count().status == 0)
        try await client.wait(for: "api/v1/funnels") { status, body in
            status == 200 && (try? Report(body))?.quality.events == before + 1
        }
    }

    @Test func `on an address that others can reach it wants a password`() async throws {
        let refused = try await serve(["--listen", "0.0.0.0:0"]).end()
        #expect(refused.status == 78)
        #expect(refused.errors.contains("Put a password into REPORT_PASSWORD"))
        #expect(try await serve(["--listen", "0.0.0.0:0"], ["REPORT_PASSWORD": ""]).end().status == 78)
        let server = try serve(["--listen", "0.0.0.0:0"], ["REPORT_PASSWORD": "secret-of-the-command-tests"])
        try await server.says("listening on ")
        let port = try #require(server.errors.firstMatch(of: /listening on http:\/\/0\.0\.0\.0:(\d+)/)?.1)
        // URLSession on Linux does not return the answer 401.
        let curl = ["/usr/bin/env", "curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}"]
        let address = "http://127.0.0.1:\(port)"
        let statuses = try await onThread {
            try [[address], ["--user", "me:secret-of-the-command-tests", address], [address + "/healthz"]].map {
                try run(curl + $0)
            }
        }
        #expect(statuses == ["401", "200", "200"])
        #expect(!server.errors.contains("secret-of-the-command-tests"))
    }

    @Test func `a mistake ends it with the code of other commands`() async throws {
        for (arguments, status, part) in [
            (["--store", "sqlite:none.sqlite"], 66, "none.sqlite"), (["--listen", "8081"], 64, "expected HOST:PORT"),
            (["--listen", "192.0.2.1:0", "--store", "sqlite:none.sqlite"], 78, "REPORT_PASSWORD"),
            (["--from", "2026-01-01"], 64, "--from"),
        ] as [([String], Int32, String)] {
            let outcome = try await serve(arguments).end()
            #expect(outcome.status == status, "\(arguments)")
            #expect(outcome.errors.contains(part), "\(outcome.errors)")
        }
        let taken = try serve(["--listen", "127.0.0.1:0"])
        let port = try #require(try await client(of: taken).address.port)
        let outcome = try await serve(["--listen", "127.0.0.1:\(port)"]).end()
        #expect(outcome.status == 69 && outcome.errors.contains("--listen"))
    }
}
