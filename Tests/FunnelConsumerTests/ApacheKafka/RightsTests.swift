import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelConsumer
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import RDKafka
import Testing

/// A user to whom rights are given one by one, on a real broker with an authorizer.
@Suite(.waits, .needsApacheKafkaWithRights, .timeLimit(.minutes(10)), .serialized) struct RightsTests {
    private static let user = "tester"

    private let cluster: RealCluster
    // Only the consumers of a store that they share need the right on the group.
    private let shared = RivalStore(id: "rights") { _, _ in }
    private var store: TemporaryStore { shared.contents }
    private let funnels: [Funnel]

    init() throws {
        cluster = try RealCluster()
        funnels = try homeToPaywall()
    }

    private func options(exitsAtEnd: Bool, password: String = "tester-secret") throws -> FunnelConsumerOptions {
        var options = cluster.options(funnels, exitsAtEnd: exitsAtEnd)
        let servers: String = try #require(ApacheKafka.saslBootstrapServers)
        options.kafka["bootstrap.servers"] = servers
        options.kafka["security.protocol"] = "sasl_plaintext"
        options.kafka["sasl.mechanism"] = "PLAIN"
        options.kafka["sasl.username"] = Self.user
        options.kafka["sasl.password"] = password
        return options
    }

    /// Runs a consumer.
    ///
    /// - Returns: the error that it ended with; `nil` where it ended without one.
    private func run(exitsAtEnd: Bool, password: String = "tester-secret") async throws -> FunnelConsumerError? {
        let options = try options(exitsAtEnd: exitsAtEnd, password: password)
        do {
            try await FunnelConsumer(options: options, store: shared, logger: silent).run()
            return nil
        } catch let error as FunnelConsumerError {
            return error
        }
    }

    /// Runs consumers until one ends as expected: a broker may act on a right some moments after it has said that the right
    /// is granted or revoked.
    private func untilRun(
        exitsAtEnd: Bool,
        _ what: String,
        _ isExpected: (FunnelConsumerError?) throws -> Bool
    ) async throws {
        try await until("a consumer \(what)", within: .seconds(60)) {
            try isExpected(try await run(exitsAtEnd: exitsAtEnd))
        }
    }

    private func untilMissing(_ right: String, exitsAtEnd: Bool) async throws {
        try await untilRun(exitsAtEnd: exitsAtEnd, "misses the right \(right)") {
            $0?.code == .missingRight && $0?.description.contains("the right \(right)") == true
        }
    }

    @Test func `each missing right is named, until the user has all of them`() async throws {
        try await cluster.publish([message(screenView("home", "a", second: 0)), message("no event")])
        var granted: [KafkaRight] = []
        defer { try? cluster.administrator.revoke(granted, from: Self.user) }
        func grant(_ operation: KafkaRight.Operation, _ resource: KafkaRight.Resource) throws {
            granted.append(KafkaRight(operation, resource))
            try cluster.administrator.grant([KafkaRight(operation, resource)], to: Self.user)
        }

        for exitsAtEnd in [true, false] {
            try await untilMissing("Describe on the topic \(cluster.topic)", exitsAtEnd: exitsAtEnd)
        }
        try grant(.describe, .topic(cluster.topic))
        try await untilMissing("Read on the topic \(cluster.topic)", exitsAtEnd: true)
        try await untilMissing("Read on the consumer group", exitsAtEnd: false)
        try grant(.read, .topic(cluster.topic))
        // A run to the end needs no group.
        try await untilRun(exitsAtEnd: true, "misses the dead-letter topic") { $0?.code == .deadLetterTopic }
        try grant(.describe, .group(cluster.topic))
        try await untilMissing("Read on the consumer group", exitsAtEnd: false)
        try grant(.read, .group(cluster.topic))
        for hasDescribe in [false, true] {
            if hasDescribe { try grant(.describe, .topic(cluster.deadLetterTopic)) }
            try await untilRun(exitsAtEnd: false, "misses the right Write") {
                $0?.description.contains("the right Write on it") == true
            }
        }
        // Nothing is committed past the invalid record.
        #expect(try store.nextOffset() ?? 0 <= 1)
        try grant(.write, .topic(cluster.deadLetterTopic))
        try await untilRun(exitsAtEnd: true, "has all rights") { $0 == nil }
        #expect(try store.report().quality == Quality(events: 1, deadLetters: 1))

        // Taken away later, with a store that has counts.
        try cluster.administrator.revoke(granted, from: Self.user)
        try await untilRun(exitsAtEnd: true, "misses the right Describe") {
            guard let text = $0?.description else { return false }
            return text.contains("the right Describe") && !text.contains("remove")
        }
        #expect(try store.nextOffset() == 2)
    }

    @Test func `wrong credentials are reported at once`() async throws {
        let start = ContinuousClock.now
        let error = try #require(try await run(exitsAtEnd: false, password: "wrong-secret"))
        #expect(error.code == .credentials && !error.description.contains("wrong-secret"))
        #expect(start.duration(to: .now) < .seconds(8))
    }
}
