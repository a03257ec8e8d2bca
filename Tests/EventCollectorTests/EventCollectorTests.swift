import EventTracking
import FlowEvents
import FlowTestSupport
import Foundation
import RDKafka
import Testing

@testable import EventCollector

/// Tests a real collector with a broker, with curl as the client.
@Suite(.waits, .timeLimit(.minutes(10))) struct EventCollectorTests {
    @Test func `the topic has a batch's events with the bytes that the client sent`() async throws {
        try await RunningCollector.with { collector in
            let events = [eventText("1"), eventText("2", extra: #","properties":{"n":1e2}"#), eventText("3")]
            let answer = try await collector.post(" [\n" + events.joined(separator: " ,\n") + " ]\n")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(try answer.results() == ["1 accepted", "2 accepted", "3 accepted"])
            let records = try collector.records()
            #expect(records.map { String(decoding: $0.value, as: UTF8.self) } == events)
            #expect(records.map(\.key) == ["install-1", "install-1", "install-1"])
            #expect(records.allSatisfy { $0.contentType == "application/cloudevents+json; charset=UTF-8" })
        }
    }

    @Test func `the answer to HEAD has no body, which would be taken for the next answer`() async throws {
        try await RunningCollector.with { collector in
            let client = try RawClient(port: collector.port)
            let requests = ["HEAD /healthz", "HEAD /nothing", "GET /livez", "GET /healthz"].map { request in
                "\(request) HTTP/1.1\r\nHost: a\r\n\r\n"
            }
            client.send(Array(requests.joined().utf8))
            let answers = await client.read(until: "\r\n\r\nok\n").components(separatedBy: "HTTP/1.1 ").dropFirst()
            let bodies = answers.map { $0.components(separatedBy: "\r\n\r\n").dropFirst().joined() }
            #expect(answers.map { $0.prefix(3) } == ["200", "404", "404", "200"])
            #expect(bodies.map { $0.isEmpty } == [true, true, false, false], "\(answers)")
        }
    }

    @Test func `an event in structured mode and a compressed batch are accepted`() async throws {
        try await RunningCollector.with { collector in
            let type = "application/cloudevents+json; charset=\"utf-8\""
            let single = try await collector.post(eventText("1"), type: type)
            #expect(try single.results() == ["1 accepted"])
            let batch = gzip(Array("[\(eventText("2")),\(eventText("3"))]".utf8))
            let compressed = try await collector.post(batch, ["-H", "Content-Encoding: gzip"])
            #expect(try compressed.results() == ["2 accepted", "3 accepted"])
            #expect(try collector.records().count == 3)
        }
    }

    @Test func `only the event that breaks a rule is rejected, with the consumer's reason`() async throws {
        try await RunningCollector.with { collector in
            let big = eventText("6", extra: #","properties":{"x":"\#(String(repeating: "x", count: 1_048_576))"}"#)
            let texts = [
                eventText("1"), #"{"specversion":"1.0","id":"2"}"#, "17", eventText("4", source: "app://another"),
                eventText("5").replacing("2026-03-01", with: "9998-03-01"), eventText("7"),
                eventText(String(repeating: "8", count: 1025)),
            ]
            let answer = try await collector.post("[\(texts.joined(separator: ","))]")
            #expect(answer.status == 200)
            #expect(
                try answer.results() == [
                    "1 accepted", "2 rejected missing_field", "null rejected not_cloudevents",
                    "4 rejected source_not_allowed", "5 rejected future_time", "7 accepted",
                    "null rejected invalid_field",
                ]
            )
            let large = gzip(Array("[\(big)]".utf8))
            let rejected = try await collector.post(large, ["-H", "Content-Encoding: gzip"])
            #expect(try rejected.results() == ["null rejected too_large"])
            #expect(try collector.records().count == 2)
            let metrics = try await collector.get("/metrics").body
            #expect(metrics.contains(#"collector_events_accepted_total{key="shop"} 2"#))
            #expect(metrics.contains(#"collector_events_rejected_total{reason="source_not_allowed"} 1"#))
            #expect(metrics.contains(#"collector_requests_total{status="200"} 2"#))
            #expect(metrics.contains("collector_pending_bytes 0\n"))
        }
    }

    @Test func `the answer to an empty batch has the collector's time`() async throws {
        try await RunningCollector.with { collector in
            let before = Timestamp.now
            let answer = try await collector.post("[]")
            #expect(answer.status == 200)
            #expect(answer.body == #"{"results":[]}"#)
            let clock = try #require(answer.headers["edge-time"].flatMap { Timestamp($0) })
            #expect((before...Timestamp.now).contains(clock))
            #expect(answer.headers["date"] != nil)
        }
    }

    @Test func `only the key that sends too many events has to wait`() async throws {
        try await RunningCollector.with { settings in
            settings.limits.eventsPerSecond = 1
            settings.keys.append(WriteKey(name: "b", secret: "another-secret-0123456789", sources: ["x"]))
        } _: { collector in
            let batch = "[" + (1...100).map { eventText("\($0)") }.joined(separator: ",") + "]"
            #expect(try await collector.post(batch).status == 200)
            let refused = try await collector.post("[]")
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"].flatMap { Int($0) }.map { (1...91).contains($0) } == true)
            let arguments = [
                "-H", "Authorization: Bearer another-secret-0123456789", "-H",
                "Content-Type: application/cloudevents-batch+json", "-d", "[]", collector.url,
            ]
            #expect(try await Answer(curl: arguments).status == 200)
        }
    }

    @Test func `a request to erase is taken beyond the limits of its key, and nothing else with it`() async throws {
        try await RunningCollector.with { settings in
            settings.limits.eventsPerSecond = 1
        } _: { collector in
            let request = eventText("e").replacing("screen_view", with: "erasure_request")
            let batch = "[" + (1...100).map { eventText("\($0)") }.joined(separator: ",") + "]"
            #expect(try await collector.post(batch).status == 200)
            for _ in 0..<3 {
                let taken = try await collector.post("[\(request)]")
                #expect(taken.status == 200)
            }
            let mixed = try await collector.post("[\(request),\(eventText("a"))]")
            #expect(mixed.status == 429)
            let empty = try await collector.post("[]")
            #expect(empty.status == 429)
        }
    }

    @Test func `a request to erase is taken where the key has no memory left`() async throws {
        try await RunningCollector.with { settings in
            settings.limits.pendingSizePerKey = 1
        } _: { collector in
            let refused = try await collector.post("[\(eventText("a"))]")
            #expect(refused.status == 503)
            let request = eventText("e").replacing("screen_view", with: "erasure_request")
            let taken = try await collector.post("[\(request)]")
            #expect(taken.status == 200)
        }
    }

    @Test func `a request to erase is taken while others hold all that the key may have open at once`() async throws {
        try await RunningCollector.with { settings in
            // One of them for each key.
            settings.limits.connections = 2
            settings.timeouts.request = patience
        } _: { collector in
            let slow = try RawClient(port: collector.port)
            let head = """
                POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(secret)\r\n\
                Content-Type: application/cloudevents-batch+json\r\nContent-Length: 1000\r\n\r\n[
                """
            slow.send(Array(head.utf8))
            try await until("the key has its requests") {
                try await collector.post("[\(eventText("a"))]").status == 503
            }
            let request = eventText("e").replacing("screen_view", with: "erasure_request")
            #expect(try await collector.post("[\(request)]").status == 200)
        }
    }

    @Test func `only pages of allowed origins may post`() async throws {
        try await RunningCollector.with { settings in
            settings.origins = ["https://shop.example.com"]
        } _: { collector in
            let preflight = ["-X", "OPTIONS", "-H", "Access-Control-Request-Method: POST", "-H"]
            let asked = try await collector.get("/v1/events", preflight + ["Origin: https://shop.example.com"])
            #expect(asked.status == 204)
            #expect(asked.headers["access-control-allow-origin"] == "https://shop.example.com")
            #expect(asked.headers["access-control-allow-headers"]?.contains("Authorization") == true)
            let refused = try await collector.get("/v1/events", preflight + ["Origin: https://evil.example.com"])
            #expect(refused.status == 405)
            #expect(refused.headers["access-control-allow-origin"] == nil)
            let posted = try await collector.post(Array("[]".utf8), ["-H", "Origin: https://shop.example.com"])
            #expect(posted.headers["access-control-allow-origin"] == "https://shop.example.com")
            #expect(posted.headers["vary"] == "Origin")
        }
    }

    @Test func `the logs contain no content of events and no keys`() async throws {
        try await RunningCollector.with { collector in
            _ = try await collector.post("[\(eventText("marker-id"))]")
            _ = try await collector.post("[{\"marker\":\"content\"}]")
            _ = try await collector.post("marker")
            _ = try await collector.get("/v1/events?marker=1", ["-H", "Authorization: Bearer marker"])
            #expect(collector.log.contains("listening on"))
            for secret in ["marker", "install-", "höme", secret] {
                #expect(!collector.log.contains(secret))
            }
        }
    }

    @Test func `the collector serves TLS with the configured certificate`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (certificate, key) = (folder.appending(path: "c.pem").path, folder.appending(path: "k.pem").path)
        _ = try await run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key,
            "-out",
            certificate,
        ])
        try await RunningCollector.with { settings in
            settings.tls = CollectorTLS(certificate: certificate, key: key)
        } _: { collector in
            let answer = try await Answer(curl: [
                "--cacert", certificate, "-H", "Authorization: Bearer \(secret)", "-H",
                "Content-Type: application/cloudevents-batch+json", "-d", "[]",
                "https://127.0.0.1:\(collector.port)/v1/events",
            ])
            #expect(answer.status == 200)
        }
    }
}
