import FlowTestSupport
import RDKafka
import Testing

@testable import EventCollector

/// Stores' servers post to a collector.
@Suite(.waits, .timeLimit(.minutes(10))) struct WebhookTests {
    private static func with(
        _ change: (inout CollectorSettings) throws -> Void = { _ in },
        _ body: (RunningCollector, TestStore) async throws -> Void
    ) async throws {
        let store = try TestStore()
        try await RunningCollector.with { settings in
            store.configure(&settings)
            try change(&settings)
        } _: { collector in
            try collector.broker.createTopic(TestStore.deadLetterTopic, partitions: 1)
            try await body(collector, store)
        }
    }

    private static func count(_ webhook: String, _ type: String, _ outcome: String) -> String {
        #"collector_webhook_notifications_total{outcome="\#(outcome)",type="\#(type)",webhook="\#(webhook)"}"#
    }

    @Test func `an event of the App Store is in Kafka, with the install as its key, when the answer is 200`()
        async throws
    {
        try await Self.with { collector, store in
            let answer = try await collector.post(store.body(), to: "app-store")
            #expect(answer.status == 200)
            #expect(answer.body == #"{"outcome":"event"}"#)
            let record = try #require(try collector.records().first)
            #expect(record.key == install)
            #expect(record.contentType == "application/cloudevents+json; charset=UTF-8")
            #expect(record.text.contains(#""id":"app_store:production:store_purchase:2000000123""#))
            #expect(record.text.contains(#""price":9.99,"#))
            try await collector.wait(for: "/metrics") { metrics in
                metrics.body.contains(Self.count("app_store", "SUBSCRIBED", "event") + " 1\n")
            }
        }
    }

    @Test func `an event of RevenueCat is in Kafka when the answer is 200`() async throws {
        try await Self.with { collector, _ in
            #expect(try await collector.postToRevenueCat(TestStore.renewal()).status == 200)
            let record = try #require(try collector.records().first)
            #expect(record.key == "i-1")
            #expect(record.text.contains(#""type":"store_renewal""#))
            #expect(record.text.contains(#""price":7.99,"#))
            let metrics = try await collector.get("/metrics").body
            #expect(metrics.contains(Self.count("revenuecat", "RENEWAL", "event") + " 1\n"))
        }
    }

    @Test func `a sender who is not who it should be gets 401 or 403, and nothing is published`() async throws {
        try await Self.with { collector, store in
            let forged = try await collector.post(TestStore().body(), to: "app-store")
            #expect(forged.status == 401)
            #expect(try forged.problem().detail.contains("configured root"))
            let foreign = try await collector.post(store.body(bundle: "com.example.other"), to: "app-store")
            #expect(foreign.status == 403)
            for secret in ["Bearer of-another-secret-012345", "", "Bearer"] {
                #expect(try await collector.postToRevenueCat(TestStore.renewal(), secret).status == 401)
            }
            #expect(try await collector.post(TestStore.renewal(), to: "revenuecat").status == 401)
            // A write key opens neither.
            #expect(try await collector.postToRevenueCat(TestStore.renewal(), "Bearer \(secret)").status == 401)
            #expect(try collector.records().isEmpty)
            let metrics = try await collector.get("/metrics").body
            #expect(metrics.contains(Self.count("app_store", "unknown", "refused_401") + " 1\n"))
            #expect(metrics.contains(Self.count("app_store", "unknown", "refused_403") + " 1\n"))
            #expect(metrics.contains(Self.count("revenuecat", "unknown", "refused_401") + " 5\n"))
        }
    }

    @Test func `what cannot be read gets 400, and what is too large 413`() async throws {
        try await Self.with { collector, store in
            let body = try store.body()
            for text in [[], Array("{}".utf8), Array(body.dropLast(9))] {
                #expect(try await collector.post(text, to: "app-store").status == 400)
                #expect(try await collector.postToRevenueCat(text).status == 400)
            }
            let large = try await collector.post(Array(repeating: 0x20, count: 300_000), to: "app-store")
            #expect(large.status == 413)
            let bomb = gzip([UInt8](repeating: 0x20, count: 10_000_000))
            let unpacked = try await collector.post(bomb, to: "app-store", ["-H", "Content-Encoding: gzip"])
            #expect(unpacked.status == 413)
            #expect(try await collector.get("/v1/webhooks/app-store").status == 405)
            #expect(try await collector.post(body, to: "play-store").status == 404)
        }
    }

    @Test func `a webhook that is not configured is not there`() async throws {
        let body = try TestStore().body()
        try await RunningCollector.with { collector in
            let answers = [
                try await collector.post(body, to: "app-store"),
                try await collector.postToRevenueCat(TestStore.renewal()),
            ]
            #expect(answers.map(\.status) == [404, 404])
        }
    }

    @Test func `a kind that funnels do not need is answered 200 and counted`() async throws {
        try await Self.with { collector, store in
            for type in ["TEST", "DID_FAIL_TO_RENEW", "A_NEW_ONE"] {
                let answer = try await collector.post(store.body(type), to: "app-store")
                #expect(answer.status == 200)
                #expect(answer.body == #"{"outcome":"ignored"}"#)
            }
            #expect(try collector.records().isEmpty)
            let metrics = try await collector.get("/metrics").body
            #expect(metrics.contains(Self.count("app_store", "DID_FAIL_TO_RENEW", "ignored") + " 1\n"))
            #expect(metrics.contains(Self.count("app_store", "other", "ignored") + " 1\n"))
            #expect(!metrics.contains("A_NEW_ONE"))
        }
    }

    @Test(arguments: [false, true]) func `the sandbox goes to the topic only where it is taken`(isTaken: Bool)
        async throws
    {
        try await Self.with {
            $0.webhooks.takesSandbox = isTaken
        } _: { collector, store in
            let answer = try await collector.post(store.body(environment: "Sandbox"), to: "app-store")
            #expect(answer.status == 200)
            #expect(answer.body == #"{"outcome":"\#(isTaken ? "event" : "sandbox")"}"#)
            let records = try collector.records()
            #expect(records.count == (isTaken ? 1 : 0))
            #expect(records.allSatisfy { $0.text.contains(#""environment":"sandbox""#) })
        }
    }

    @Test func `without an install the event is in the dead-letter topic, with the reason`() async throws {
        try await Self.with { collector, store in
            let answer = try await collector.post(store.body(token: nil), to: "app-store")
            #expect(answer.status == 200)
            #expect(answer.body == #"{"outcome":"dead_letter"}"#)
            #expect(try await collector.postToRevenueCat(TestStore.renewal(attributes: "{}")).status == 200)
            #expect(try collector.records().isEmpty)
            let letters = try collector.records(of: TestStore.deadLetterTopic)
            #expect(letters.count == 2)
            for letter in letters {
                #expect(letter.headers["dlq.reason"] == "missing_field")
                #expect(letter.headers["dlq.detail"]?.contains("data.install_id") == true)
                #expect(letter.headers["dlq.topic"] == RunningCollector.topic)
                #expect(letter.text.contains(#""specversion":"1.0""#))
            }
            #expect(letters[0].text.contains(#""transaction_id":"2000000123""#))
            let metrics = try await collector.get("/metrics").body
            #expect(metrics.contains(Self.count("app_store", "SUBSCRIBED", "dead_letter") + " 1\n"))
        }
    }

    @Test func `a flood of forged posts is limited, and does not stop the store behind the same address`() async throws
    {
        try await Self.with {
            $0.limits.failuresPerSecond = 1
        } _: { collector, store in
            let forged = try TestStore().body()
            // At once, so that no time passes in which more are allowed.
            let statuses = try await withThrowingTaskGroup(of: Int.self) { posts in
                for _ in 0..<40 { posts.addTask { try await collector.post(forged, to: "app-store").status } }
                return try await posts.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(statuses) == [401, 429])
            #expect(try await collector.post(store.body(), to: "app-store").status == 200)
        }
    }

    @Test func `a webhook has a rate of its own`() async throws {
        try await Self.with {
            $0.limits.eventsPerSecond = 1
        } _: { collector, store in
            let body = try store.body("TEST")
            var answer = try await collector.post(body, to: "app-store")
            while answer.status == 200 { answer = try await collector.post(body, to: "app-store") }
            #expect(answer.status == 429)
            #expect(answer.headers["retry-after"] != nil)
            #expect(try await collector.postToRevenueCat(TestStore.renewal()).status == 200)
        }
    }

    @Test func `slow posts to a webhook hold a share of the connections, and apps go on`() async throws {
        try await Self.with {
            $0.limits.connections = 8
            // On a busy machine the test takes longer than the slow posts may.
            $0.timeouts.request = patience
        } _: { collector, store in
            let slow = try (0..<4).map { _ in try RawClient(port: collector.port) }
            let head = "POST /v1/webhooks/app-store HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"
            for client in slow { client.send(Array(head.utf8)) }
            let body = try store.body()
            try await until("the webhook has its share") {
                try await collector.post(body, to: "app-store").status == 503
            }
            #expect(try await collector.post("[\(eventText("1"))]").results() == ["1 accepted"])
        }
    }

    @Test func `a broken post with the secret does not count for the address`() async throws {
        let forged = try TestStore().body()
        try await Self.with {
            $0.limits.failuresPerSecond = 1
        } _: { collector, _ in
            for _ in 0..<15 {
                let broken = try await collector.postToRevenueCat([])
                #expect(broken.status == 400)
            }
            let answer = try await collector.post(forged, to: "app-store")
            #expect(answer.status == 401)
        }
    }
}
