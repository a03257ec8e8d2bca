import FlowTestSupport
import Foundation
import KafkaTestSupport
import RDKafka
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import EventCollector

/// A store posts while Kafka comes and goes.
@Suite(.waits, .timeLimit(.minutes(60))) struct WebhookOutageTests {
    /// The number of notifications; `scripts/torture-webhooks` sends 100,000.
    private static let count = ProcessInfo.processInfo.environment["WEBHOOK_NOTIFICATIONS"].flatMap { Int($0) } ?? 1500

    @Test func `without Kafka the answer is 503, so that the store sends again`() async throws {
        let store = try TestStore()
        try await RunningCollector.with { settings in
            store.configure(&settings)
            settings.timeouts.publish = .seconds(1)
        } _: { collector in
            try collector.broker.createTopic(TestStore.deadLetterTopic, partitions: 1)
            try await collector.wait(for: "/readyz") { $0.status == 200 }
            try collector.broker.cutOff()
            for body in [try store.body(), try store.body(token: nil)] {
                let answer = try await collector.post(body, to: "app-store")
                #expect(answer.status == 503)
                #expect(answer.headers["retry-after"] == "5")
            }
            let metrics = try await collector.get("/metrics").body
            #expect(metrics.contains(#"{outcome="refused_503",type="SUBSCRIBED",webhook="app_store"} 2"#))
            try collector.broker.bringUp()
            for body in [try store.body(), try store.body(token: nil)] {
                try await until("it is taken") { try await collector.post(body, to: "app-store").status == 200 }
            }
            #expect(try Set(collector.records().map(\.text)).count == 1)
            #expect(try Set(collector.records(of: TestStore.deadLetterTopic).map(\.text)).count == 1)
        }
    }

    @Test func `notifications are neither lost nor counted twice while the broker dies`() async throws {
        let store = try TestStore()
        // The embedded broker keeps 5 MiB of a partition.
        try await RunningCollector.with(partitions: max(4, Self.count / 4000)) { settings in
            store.configure(&settings)
            settings.timeouts.publish = .seconds(1)
            settings.limits.eventsPerSecond = 1_000_000
        } _: { collector in
            let sender = try Sender(collector)
            let deaths = 1 + Self.count / 10_000
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for worker in 0..<8 {
                    tasks.addTask {
                        for number in stride(from: worker, to: Self.count, by: 8) {
                            try await sender.send(store.body(transaction: "\(number)", token: UUID().uuidString))
                        }
                    }
                }
                tasks.addTask {
                    for death in 0..<deaths {
                        try await until("some are taken") {
                            sender.taken > Self.count * (2 * death + 1) / (2 * deaths + 1)
                        }
                        let refused = sender.refused
                        try collector.broker.cutOff()
                        try await until("some are refused") { sender.refused > refused }
                        try collector.broker.bringUp()
                    }
                }
                try await tasks.waitForAll()
            }
            #expect(sender.taken == Self.count)
            #expect(sender.refused >= deaths)
            // A consumer counts what has the same id once.
            let ids = Set(try collector.records().compactMap { $0.text.firstMatch(of: /"id":"([^"]+)"/)?.1 })
            let sent = Set((0..<Self.count).map { Substring("app_store:production:store_purchase:\($0)") })
            #expect(ids == sent, "\(sent.subtracting(ids).count) are lost")
        }
    }

    /// Sends each notification until it is taken, as the App Store does, with shorter pauses.
    private final class Sender: Sendable {
        private let session = URLSession(configuration: .ephemeral)
        private let url: URL
        private let counts = Mutex((taken: 0, refused: 0))

        var taken: Int { counts.withLock { $0.taken } }
        var refused: Int { counts.withLock { $0.refused } }

        init(_ collector: RunningCollector) throws {
            url = try #require(URL(string: "http://127.0.0.1:\(collector.port)/v1/webhooks/app-store"))
        }

        deinit { session.invalidateAndCancel() }

        func send(_ body: [UInt8]) async throws {
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.httpBody = Data(body)
            request.timeoutInterval = 60
            while true {
                let (answer, response) = try await session.data(for: request)
                switch (response as? HTTPURLResponse)?.statusCode {
                case 200:
                    counts.withLock { $0.taken += 1 }
                    return
                case 503: counts.withLock { $0.refused += 1 }
                case let status:
                    Issue.record("\(status ?? 0): \(String(decoding: answer, as: UTF8.self))")
                    return
                }
            }
        }
    }
}
