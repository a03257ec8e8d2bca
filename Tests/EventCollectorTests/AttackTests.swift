import FlowTestSupport
import Testing

@testable import EventCollector

/// A client with one write key, or with none, cannot stop the others.
@Suite(.waits, .timeLimit(.minutes(10))) struct AttackTests {
    private static let other = "another-secret-0123456789"

    /// A collector with two write keys.
    private static func with(
        _ change: (inout CollectorSettings) -> Void = { _ in },
        _ body: (RunningCollector) async throws -> Void
    ) async throws {
        try await RunningCollector.with { settings in
            settings.keys.append(WriteKey(name: "other", secret: other, sources: ["app://com.example.shop"]))
            change(&settings)
        } _: { collector in
            try await body(collector)
        }
    }

    private static func postAsOther(_ collector: RunningCollector) async throws -> Answer {
        try await Answer(curl: [
            "-H", "Authorization: Bearer \(other)", "-H", "Content-Type: application/cloudevents-batch+json", "-d",
            "[\(eventText("1"))]", collector.url,
        ])
    }

    @Test func `slow requests hold memory for the bytes that have arrived only`() async throws {
        try await Self.with { collector in
            let slow = try (0..<40).map { _ in try RawClient(port: collector.port) }
            for client in slow { client.post([0x5B], announced: 1_000_000) }
            try await collector.wait(for: "/metrics") { $0.body.contains("collector_pending_bytes 120\n") }
            #expect(try await collector.post("[\(eventText("1"))]").results() == ["1 accepted"])
            #expect(try await Self.postAsOther(collector).results() == ["1 accepted"])
        }
    }

    @Test func `one key holds its share of the memory, and the others go on`() async throws {
        try await Self.with { settings in
            settings.limits.pendingSize = 6_000_000
            settings.limits.pendingSizePerKey = 3_000_000
        } _: { collector in
            let body = [UInt8](repeating: 0x20, count: 900_000)
            let slow = try RawClient(port: collector.port)
            slow.post(body, announced: 950_000)
            try await collector.wait(for: "/metrics") { $0.body.contains("collector_pending_bytes 2700000\n") }
            let refused = try await collector.post(body)
            #expect(refused.status == 503)
            #expect(refused.body.contains("too many events wait for Kafka"))
            #expect(try await Self.postAsOther(collector).results() == ["1 accepted"])
        }
    }

    @Test func `one key has half of the connections, and the others go on`() async throws {
        try await Self.with { settings in
            settings.limits.connections = 8
        } _: { collector in
            let slow = try (0..<4).map { _ in try RawClient(port: collector.port) }
            for client in slow { client.post([0x5B], announced: 1_000_000) }
            try await collector.wait(for: "/metrics") { $0.body.contains("collector_pending_bytes 12\n") }
            let refused = try await collector.post("[]")
            #expect(refused.status == 503)
            #expect(refused.body.contains("too many requests with this write key are open"))
            #expect(try await Self.postAsOther(collector).results() == ["1 accepted"])
        }
    }

    @Test func `connections without a request do not keep out health checks or apps`() async throws {
        try await Self.with { settings in
            settings.limits.connections = 20
        } _: { collector in
            var idle: [RawClient] = []
            for page in ["/healthz", "/readyz", "/metrics"] {
                idle += try (0..<60).map { _ in try RawClient(port: collector.port) }
                try await collector.wait(for: page) { $0.status == 200 }
            }
            idle += try (0..<60).map { _ in try RawClient(port: collector.port) }
            #expect(try await Self.postAsOther(collector).results() == ["1 accepted"])
            withExtendedLifetime(idle) {}
        }
    }

    @Test func `health checks are answered while every connection has a request`() async throws {
        try await Self.with { settings in
            settings.limits.connections = 2
        } _: { collector in
            var slow: [RawClient] = []
            // The question for the metrics may close a connection before its request begins, and on a busy machine the time
            // of a slow request may be over before the other one is there. So clients of both keys come until two stay.
            try await collector.wait(for: "/metrics") { answer in
                for key in [secret, Self.other] {
                    guard let client = try? RawClient(port: collector.port) else { continue }
                    client.post([0x5B], announced: 1_000_000, key: key)
                    slow.append(client)
                }
                return answer.body.contains("collector_pending_bytes 6\n")
            }
            try await collector.wait(for: "/healthz") { $0.status == 200 }
            // A silent connection of this test may be accepted late, and close the one that asks.
            var answer = try? await Self.postAsOther(collector)
            while answer == nil { answer = try? await Self.postAsOther(collector) }
            let refused = try #require(answer)
            #expect(refused.status == 503)
            #expect(refused.body.contains("too many connections are open"))
            #expect(refused.headers["connection"] == "close")
        }
    }

    @Test func `an answer that nobody reads holds memory until its connection is closed`() async throws {
        try await Self.with { settings in
            settings.limits.batchCount = 50_000
            settings.timeouts.request = .seconds(10)
        } _: { collector in
            let body = Array("[\([String](repeating: "1", count: 50_000).joined(separator: ","))]".utf8)
            var deaf: [RawClient] = []
            // The answer has about 9 MB. The rest is in the buffers of the system. On a busy machine the time for the answer
            // may be over before the question, and then the client comes again.
            try await collector.wait(for: "/metrics") { answer in
                if answer.body.contains("collector_pending_bytes 0\n"),
                    let client = try? RawClient(port: collector.port)
                {
                    client.post(body, announced: body.count)
                    deaf.append(client)
                }
                return answer.body.contains(/collector_pending_bytes ([5-9]\d{6}|\d{8})\n/)
            }
            #expect(try await Self.postAsOther(collector).results() == ["1 accepted"])
            try await collector.wait(for: "/metrics") { $0.body.contains("collector_pending_bytes 0\n") }
            withExtendedLifetime(deaf) {}
        }
    }

    @Test func `a failed request costs its key an event for each KiB`() async throws {
        try await Self.with { settings in
            settings.limits.eventsPerSecond = 1
        } _: { collector in
            #expect(try await collector.post([UInt8](repeating: 0x78, count: 1_000_000)).status == 400)
            let refused = try await collector.post("[]")
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"].flatMap { Int($0) }.map { (500...1000).contains($0) } == true)
            #expect(try await Self.postAsOther(collector).results() == ["1 accepted"])
        }
    }

    @Test func `an address that fails without a key has to wait, and its valid keys do not`() async throws {
        try await Self.with { settings in
            settings.limits.failuresPerSecond = 1
        } _: { collector in
            let arguments = [
                "curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code} ", "-H", "Expect:",
            ]
            let urls = [String](repeating: collector.url, count: 100)
            func guess() async throws -> String {
                try await run(arguments + ["-d", "[]", "-H", "Authorization: Bearer guess"] + urls)
            }
            let statuses = try await guess()
            #expect(statuses.contains("401 ") && statuses.contains("429 "), "\(statuses)")
            var refused = try await collector.get("/v2/events")
            // On a busy machine, the address may try again by the time of the question.
            while refused.status == 404 {
                _ = try await guess()
                refused = try await collector.get("/v2/events")
            }
            #expect(refused.status == 429)
            #expect(refused.headers["connection"] == "close")
            #expect(refused.headers["retry-after"] != nil)
            #expect(try await Self.postAsOther(collector).results() == ["1 accepted"])
            #expect(try await collector.get("/healthz").status == 200)
        }
    }

    @Test func `while one key attacks, another one still gets two answers a second`() async throws {
        try await Self.with { settings in
            settings.limits.connections = 100
            settings.limits.batchCount = 50_000
        } _: { collector in
            func time(_ count: Int) async throws -> Double {
                let start = ContinuousClock.now
                let statuses = try await collector.statuses(
                    of: count,
                    [
                        "-H", "Authorization: Bearer \(Self.other)", "-H",
                        "Content-Type: application/cloudevents-batch+json",
                        "-d", "[\(eventText("1"))]",
                    ]
                )
                #expect(statuses == String(repeating: "200 ", count: count))
                return (ContinuousClock.now - start) / .seconds(1)
            }
            let calm = try await time(20) * 10
            let slow = try (0..<60).map { _ in try RawClient(port: collector.port) }
            for client in slow { client.post([0x5B], announced: 1_000_000) }
            let idle = try (0..<200).map { _ in try RawClient(port: collector.port) }
            let many = Array("[\([String](repeating: "1", count: 50_000).joined(separator: ","))]".utf8)
            let deaf = try (0..<10).map { _ in try RawClient(port: collector.port) }
            for client in deaf { client.post(many, announced: many.count) }
            let bomb = gzip([UInt8](repeating: 0x20, count: 8_000_000))
            let flood = Task {
                while !Task.isCancelled { _ = try? await collector.post(bomb, ["-H", "Content-Encoding: gzip"]) }
            }
            let attacked = try await time(200)
            flood.cancel()
            await flood.value
            // A busy machine needs more time for both.
            #expect(attacked < max(100, 40 * calm), "200 requests took \(attacked) s, without an attack \(calm) s")
            withExtendedLifetime((slow, idle, deaf)) {}
        }
    }
}

extension RunningCollector {
    /// Sends a request several times on one connection, and returns the status codes, each followed by a space.
    fileprivate func statuses(of count: Int, _ arguments: [String]) async throws -> String {
        let standard = ["curl", "--silent", "--write-out", "%{http_code} ", "-H", "Expect:"]
        let requests = [[String]](repeating: ["--output", "/dev/null", url], count: count).flatMap(\.self)
        return try await run(standard + arguments + requests)
    }
}
