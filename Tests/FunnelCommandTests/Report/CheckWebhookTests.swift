import EventTracking
import FlowTestSupport
import Foundation
import HTTPSinkTestSupport
import RDKafka
import Testing

/// `funnel-report check --webhook`.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct CheckWebhookTests {
    private let pipeline: Pipeline

    /// A hundred installs that opened the paywall, of which 40 bought, and a later event that settles their day.
    init() async throws {
        pipeline = try Pipeline()
        func event(_ install: Int, _ type: String, _ time: String) -> ProducerMessage {
            let event = """
                {"specversion":"1.0","id":"\(install)-\(type)","source":"app://a","type":"\(type)","time":"\(time)",\
                "data":{"install_id":"i\(install)","session_id":"s","screen":"paywall","paywall_source":"home"}}
                """
            return ProducerMessage(key: Array("i\(install)".utf8), value: Array(event.utf8))
        }
        var events = (0..<100).map { event($0, "screen_view", "2026-03-01T10:00:00Z") }
        events += (0..<40).map { event($0, "purchase", "2026-03-01T10:01:00Z") }
        events.append(event(1000, "screen_view", "2026-03-05T10:00:00Z"))
        try await pipeline.publish(events)
        let outcome = try await pipeline.count()
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    private func check(_ url: URL, min: String) async throws -> Command.Outcome {
        try await pipeline.report(
            "check",
            "paywall-to-purchase",
            "--step",
            "purchase",
            "--max-age",
            "9999d",
            "--min",
            min,
            "--webhook",
            url.absoluteString,
            "--webhook-state",
            pipeline.directory.file("states")
        )
    }

    private static func texts(_ server: HTTPTestServer) -> [String] {
        server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test func `a run outside its bounds is told once, and not again at the next run`() async throws {
        let server = try HTTPTestServer { _ in .respond(200) }
        defer { server.stop() }
        #expect(try await check(server.url, min: "0.3").status == 0)
        #expect(server.requests.isEmpty)
        for _ in 0..<2 { #expect(try await check(server.url, min: "0.5").status == 1) }
        let texts = Self.texts(server)
        #expect(texts.count == 1)
        #expect(texts.first?.contains("Out of bounds: paywall-to-purchase: purchase of paywall is 0.4") ?? false)
        #expect(server.requests.first?.headers["content-type"] == "application/json")
    }

    @Test func `a message that was not taken is sent again at the next run`() async throws {
        let isUp = Locked(false)
        let server = try HTTPTestServer { _ in .respond(isUp.withLock { $0 } ? 200 : 503) }
        defer { server.stop() }
        let refused = try await check(server.url, min: "0.5")
        #expect(refused.status == 69 && refused.errors.contains("has answered 503"))
        #expect(!refused.errors.contains("/v1/events"), "the path of a webhook is its secret")
        isUp.withLock { $0 = true }
        #expect(try await check(server.url, min: "0.5").status == 1)
        #expect(server.requests.count == 2)
    }

    @Test func `a webhook that is none, and a state without one, are a matter of usage`() async throws {
        for arguments in [
            ["--webhook", "hooks.example.com"], ["--webhook", "file:///etc"], ["--webhook-state", "x"],
        ] {
            let outcome = try await Command(
                "funnel-report",
                ["check", "paywall-to-purchase", "--step", "purchase"] + arguments,
                in: pipeline.directory
            ).end()
            #expect(outcome.status == 64, "\(arguments)")
        }
    }
}
