import FlowEvents
import Foundation
import RDKafka
import FlowProcessTestSupport
import FlowTestSupport
import ServiceLifecycle
import KafkaTestSupport
import Testing

@testable import EventCollector

/// Slow brokers, slow clients, and an end in the middle of work.
@Suite(.waits, .timeLimit(.minutes(10))) struct OutageTests {
    @Test func `during an outage of Kafka the answer is 503, and afterwards events are accepted again`() async throws {
        try await RunningCollector.with { settings in
            settings.timeouts.publish = .seconds(1)
        } _: { collector in
            try await collector.wait(for: "/readyz") { $0.status == 200 }
            try collector.broker.cutOff()
            let answer = try await collector.post("[\(eventText("1"))]")
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "5")
            try await collector.wait(for: "/readyz") { $0.status == 503 }
            #expect(try await collector.get("/healthz").status == 200)
            try collector.broker.bringUp()
            try await collector.wait(for: "/readyz") { $0.status == 200 }
            // On a busy machine, Kafka may need longer than a second at first.
            try await until("both are accepted") {
                let again = try await collector.post("[\(eventText("1")),\(eventText("2"))]")
                return try again.status == 200 && again.results() == ["1 accepted", "2 accepted"]
            }
            // What was acknowledged is there; the one that was not may be there too.
            let texts = try collector.records().map { String(decoding: $0.value, as: UTF8.self) }
            #expect(texts.contains(eventText("1")))
            #expect(texts.last == eventText("2"))
        }
    }

    @Test func `requests beyond the memory limit are refused`() async throws {
        try await RunningCollector.with { settings in
            settings.limits.bodySize = 1_000_000
            settings.limits.pendingSize = 3 * 1_000_000
            settings.timeouts.publish = .seconds(120)
        } _: { collector in
            try collector.broker.cutOff()
            let padding = String(repeating: " ", count: 900_000)
            async let first = collector.post("[\(eventText("1"))\(padding)]")
            try await collector.wait(for: "/metrics") { $0.body.contains(/collector_pending_bytes 2\d{6}\n/) }
            let refused = try await collector.post("[\(eventText("2"))\(padding)]")
            #expect(refused.status == 503)
            #expect(refused.headers["retry-after"] != nil)
            #expect(refused.body.contains("too many events wait for Kafka"))
            // It was refused while the first one waited.
            let metrics = try await collector.get("/metrics").body
            #expect(metrics.contains(/collector_pending_bytes 2\d{6}\n/))
            try collector.broker.bringUp()
            #expect(try await first.status == 200)
            try await collector.wait(for: "/metrics") { $0.body.contains("collector_pending_bytes 0\n") }
        }
    }

    @Test func `a slow body is answered with 408 and the connection is closed`() async throws {
        try await RunningCollector.with { settings in
            settings.timeouts.request = .milliseconds(300)
        } _: { collector in
            let answer = try await Answer(curl: [
                "-H", "Authorization: Bearer \(secret)", "-H", "Content-Type: application/cloudevents-batch+json",
                "--limit-rate", "100", "--data-binary", String(repeating: " ", count: 100_000), collector.url,
            ])
            #expect(answer.status == 408)
            #expect(answer.headers["connection"] == "close")
            #expect(answer.headers["edge-time"].flatMap(Timestamp.init) != nil)
            // Sending the whole body takes 1,000 seconds.
            #expect(answer.seconds < 500)
        }
    }

    @Test func `a client that asks before it sends the body need not wait`() async throws {
        try await RunningCollector.with { collector in
            let start = ContinuousClock.now
            let status = try await run([
                "curl", "--silent", "--max-time", "300", "-H", "Authorization: Bearer \(secret)",
                "-H", "Content-Type: application/cloudevents-batch+json", "-H", "Expect: 100-continue",
                "--expect100-timeout", "200", "--data-binary", "[\(eventText("1"))]", "--write-out", "%{http_code}",
                "--output", "/dev/null", collector.url,
            ])
            #expect(status == "200" && ContinuousClock.now - start < .seconds(150))
        }
    }

    // Clients that curl cannot be: each line is shell, with the connection as its file descriptor 3.
    @Test(arguments: [
        "cat <&3",
        // Endless headers.
        "while printf 'POST /v1/events HTTP/1.1\r\n' >&3; do while printf 'X-A: b\r\n' >&3; do sleep 0.05; done; done",
        // A request, followed by nothing.
        "printf 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n' >&3; cat <&3",
        // A request, followed by a part of another.
        "printf 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /hea' >&3; cat <&3",
    ])
    func `a connection without a complete request in time is closed`(client: String) async throws {
        try await RunningCollector.with { settings in
            settings.timeouts.idle = .milliseconds(300)
        } _: { collector in
            let script = "exec 3<>/dev/tcp/127.0.0.1/\(collector.port); \(client); echo the end"
            let output = try await run(["timeout", "300", "bash", "-c", "trap '' PIPE; \(script)"])
            #expect(output.contains("the end"), "it was not closed within five minutes: \(output)")
        }
    }

    @Test func `a body of single bytes does not extend its time limit`() async throws {
        try await RunningCollector.with { settings in
            settings.timeouts.request = .milliseconds(500)
        } _: { collector in
            let head =
                "POST /v1/events HTTP/1.1\\r\\nHost: a\\r\\nAuthorization: Bearer \(secret)\\r\\n"
                + "Content-Type: application/cloudevents-batch+json\\r\\nContent-Length: 100000\\r\\n\\r\\n"
            let script = """
                trap '' PIPE; exec 3<>/dev/tcp/127.0.0.1/\(collector.port); printf '\(head)[' >&3
                while printf ' ' >&3; do sleep 0.05; done 2>/dev/null; cat <&3; echo the end
                """
            let output = try await run(["timeout", "300", "bash", "-c", script])
            #expect(output.contains("the end"))
            try await collector.wait(for: "/metrics") { $0.body.contains("collector_pending_bytes 0\n") }
            #expect(try collector.records().isEmpty)
        }
    }

    @Test func `a connection without a request is closed when a new one needs its room`() async throws {
        try await RunningCollector.with { settings in
            settings.limits.connections = 1
        } _: { collector in
            let holder = Process()
            holder.executableURL = URL(filePath: "/usr/bin/env")
            let hold = """
                exec 3<>/dev/tcp/127.0.0.1/\(collector.port); printf 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n' >&3
                read -r line <&3; echo "$line"; cat <&3 >/dev/null; echo closed
                """
            holder.arguments = ["timeout", "300", "bash", "-c", hold]
            let stdout = Pipe.notInherited()
            holder.standardOutput = stdout
            try holder.start()
            defer { holder.waitUntilExit() }
            // An answer shows that the collector has accepted the connection, which stays open.
            #expect(String(decoding: stdout.fileHandleForReading.availableData, as: UTF8.self).contains("200"))
            #expect(try await collector.get("/healthz").status == 200)
            let rest = try stdout.fileHandleForReading.readToEnd() ?? Data()
            #expect(String(decoding: rest, as: UTF8.self).contains("closed"))
        }
    }

    @Test func `a gzip bomb is refused before it uses memory`() async throws {
        try await RunningCollector.with { settings in
            settings.limits.decompressedSize = 100_000
            settings.limits.pendingSize = 4_000_000
        } _: { collector in
            let bomb = gzip([UInt8](repeating: 0x20, count: 100_000_000))
            #expect(bomb.count < 110_000)
            for _ in 0..<5 {
                let answer = try await collector.post(bomb, ["-H", "Content-Encoding: gzip"])
                #expect(answer.status == 413)
            }
            try await collector.wait(for: "/metrics") { $0.body.contains("collector_pending_bytes 0\n") }
        }
    }

    @Test func `a request that waits for Kafka at the shutdown is answered before the collector ends`() async throws {
        try await RunningCollector.with { collector in
            // Long enough for a busy machine to see the request that waits.
            try collector.broker.setRoundTrip(.seconds(3))
            async let answer = collector.post("[\(eventText("1"))]")
            try await collector.wait(for: "/metrics") { !$0.body.contains("collector_pending_bytes 0\n") }
            await collector.group.triggerGracefulShutdown()
            #expect(try await answer.results() == ["1 accepted"])
        }
    }

    @Test func `keys can be rotated while the collector answers requests`() async throws {
        try await RunningCollector.with { collector in
            #expect(try await collector.post("[]").status == 200)
            let new = WriteKey(name: "new", secret: "new-secret-0123456789", sources: ["app://com.example.shop"])
            let rotation = KeyRotation(collector.keys, logger: collector.log.logger) { [new] }
            rotation.reload()
            #expect(try await collector.post("[]").status == 401)
            let broken = KeyRotation(collector.keys, logger: collector.log.logger) { throw CancellationError() }
            broken.reload()
            #expect(collector.log.contains("the write keys stay as they were"))
            let answer = try await Answer(curl: [
                "-H", "Authorization: Bearer new-secret-0123456789", "-H",
                "Content-Type: application/cloudevents-batch+json", "-d", "[]", collector.url,
            ])
            #expect(answer.status == 200)
        }
    }
}
