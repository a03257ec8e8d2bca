import FlowEvents
import FlowTestSupport
import FunnelConsumer
import FunnelStore
import Funnels
import RDKafka
import Testing

/// A user to whom rights are given one by one, on a real broker with an authorizer.
@Suite(.waits, .needsApacheKafkaWithRights, .timeLimit(.minutes(10)), .serialized) struct RightsTests {
    private static let user = "tester"

    private let cluster: RealCluster
    private let store = MemoryFunnelStore()
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

    private func failure(exitsAtEnd: Bool = false, password: String = "tester-secret") async throws
        -> FunnelConsumerError
    {
        let options = try options(exitsAtEnd: exitsAtEnd, password: password)
        return try await #require(throws: FunnelConsumerError.self) {
            try await FunnelConsumer(options: options, store: store, logger: silent).run()
        }
    }

    @Test func `each missing right is named, until the user has all of them`() async throws {
        try await cluster.publish([message(view("home", "a", second: 0)), message("no event")])
        var granted: [KafkaRight] = []
        defer { try? cluster.administrator.revoke(granted, from: Self.user) }
        func grant(_ operation: KafkaRight.Operation, _ resource: KafkaRight.Resource) throws {
            granted.append(KafkaRight(operation, resource))
            try cluster.administrator.grant([KafkaRight(operation, resource)], to: Self.user)
        }

        for exitsAtEnd in [true, false] {
            let error = try await failure(exitsAtEnd: exitsAtEnd)
            #expect(error.code == .missingRight)
            #expect(error.description.contains("the right Describe on the topic \(cluster.topic)"))
        }
        try grant(.describe, .topic(cluster.topic))
        for exitsAtEnd in [true, false] {
            let error = try await failure(exitsAtEnd: exitsAtEnd)
            #expect(error.code == .missingRight)
            let right = exitsAtEnd ? "Read on the topic \(cluster.topic)" : "Read on the consumer group"
            #expect(error.description.contains("the right \(right)"))
        }
        try grant(.read, .topic(cluster.topic))
        // A run to the end needs no group.
        #expect(try await failure(exitsAtEnd: true).code == .deadLetterTopic)
        try grant(.describe, .group(cluster.topic))
        #expect(try await failure().description.contains("the right Read on the consumer group"))
        try grant(.read, .group(cluster.topic))
        #expect(try await failure().description.contains("the right Write on it"))
        try grant(.describe, .topic(cluster.deadLetterTopic))
        #expect(try await failure().description.contains("the right Write on it"))
        // Nothing is committed past the invalid record.
        #expect(try store.nextOffset() ?? 0 <= 1)
        try grant(.write, .topic(cluster.deadLetterTopic))
        try await FunnelConsumer(options: options(exitsAtEnd: true), store: store, logger: silent).run()
        #expect(try store.report().quality == Quality(events: 1, deadLetters: 1))

        // Taken away later, with a store that has counts.
        try cluster.administrator.revoke(granted, from: Self.user)
        let error = try await failure(exitsAtEnd: true)
        #expect(error.description.contains("the right Describe") && !error.description.contains("remove"))
        #expect(try store.nextOffset() == 2)
    }

    @Test func `wrong credentials are reported at once`() async throws {
        let start = ContinuousClock.now
        let error = try await failure(password: "wrong-secret")
        #expect(error.code == .credentials && !error.description.contains("wrong-secret"))
        #expect(start.duration(to: .now) < .seconds(8))
    }
}
