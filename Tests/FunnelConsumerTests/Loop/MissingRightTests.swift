import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import RDKafka
import Testing

@testable import FunnelConsumer

/// Tests a Kafka user without the rights that the consumer needs, with the errors that a broker answers with.
@Suite(.waits, .timeLimit(.minutes(10))) struct MissingRightTests {
    private let cluster: Cluster
    private let store = TemporaryStore()
    private let funnels: [Funnel]

    init() throws {
        cluster = try Cluster()
        funnels = try homeToPaywall()
    }

    private func failure(
        exitsAtEnd: Bool = true,
        _ lines: LogLines = LogLines(),
        of store: (any FunnelStore)? = nil
    ) async throws -> FunnelConsumerError {
        let store = store ?? self.store
        let options = cluster.options(funnels, exitsAtEnd: exitsAtEnd)
        return try await #require(throws: FunnelConsumerError.self) {
            try await FunnelConsumer(options: options, store: store, logger: lines.logger).run()
        }
    }

    @Test(arguments: [true, false])
    func `a user who may not describe the topic learns it, and is never told to remove a store`(exitsAtEnd: Bool)
        async throws
    {
        // With a store of a run before the right was taken away.
        try await cluster.publish([screenView("home", "a", second: 0)])
        try await cluster.count(funnels, into: store)
        cluster.broker.setError(.topicAuthorizationFailed, ofTopic: Cluster.topic)
        let error = try await failure(exitsAtEnd: exitsAtEnd)
        #expect(error.code == .missingRight && error.description.contains("the right Describe on the topic app-events"))
        #expect(error.description.contains("Nothing is lost") && !error.description.contains("remove"))
        #expect(try store.nextOffset() == 1)
    }

    @Test(arguments: [true, false])
    func `a user who may not read the topic learns it`(exitsAtEnd: Bool) async throws {
        try await cluster.publish([screenView("home", "a", second: 0)])
        cluster.broker.fail(.fetch, with: Array(repeating: .topicAuthorizationFailed, count: 5))
        let error = try await failure(exitsAtEnd: exitsAtEnd)
        #expect(error.code == .missingRight && error.description.contains("the right Read on the topic app-events"))
    }

    @Test func `a user who may not use the group learns it`() async throws {
        cluster.broker.fail(.joinGroup, with: Array(repeating: .groupAuthorizationFailed, count: 5))
        let shared = RivalStore(id: "a1") { _, _ in }
        let error = try await failure(exitsAtEnd: false, of: shared)
        #expect(error.code == .missingRight && error.description.contains("the right Read on the consumer group"))
    }

    @Test func `a store of one consumer needs no right on the group`() async throws {
        try await cluster.publish([screenView("home", "a", second: 0)])
        cluster.broker.fail(.findCoordinator, with: Array(repeating: .groupAuthorizationFailed, count: 5))
        let options = cluster.options(funnels, exitsAtEnd: false)
        let consumer = FunnelConsumer(options: options, store: store, logger: silent)
        async let end: Void = consumer.run()
        try await until("the event is counted") { try store.eventCount() == 1 }
        consumer.stop()
        try await end
    }

    @Test func `a run to the end needs no right on the group`() async throws {
        try await cluster.publish([screenView("home", "a", second: 0)])
        cluster.broker.fail(.findCoordinator, with: Array(repeating: .groupAuthorizationFailed, count: 5))
        try await cluster.count(funnels, into: store)
        #expect(try store.nextOffset() == 1)
    }

    @Test func `a user who may not write dead letters learns it, and one who sends none needs no right`() async throws {
        cluster.broker.fail(.initProducerID, with: Array(repeating: .clusterAuthorizationFailed, count: 5))
        let lines = LogLines()
        try await cluster.count(funnels, into: store, logger: lines.logger)
        #expect(!lines.contains("uthorization"))
        try await cluster.publish([message("no event")], ["enable.idempotence": "false"])
        cluster.broker.clearFailures(of: .initProducerID)
        cluster.broker.fail(.produce, with: [.topicAuthorizationFailed])
        let error = try await failure()
        #expect(error.code == .deadLetterTopic)
        #expect(
            error.description.contains(
                "app-events.dlq did not accept a record: the Kafka user does not have the right Write"
            )
        )
        #expect(error.description.contains("Nothing was committed"))
    }

    @Test func `wrong credentials are reported at once`() async throws {
        var options = cluster.options(funnels)
        // The mock cluster closes the connection on the first frame of SASL, as a broker does on wrong credentials.
        options.kafka["security.protocol"] = "sasl_plaintext"
        options.kafka["sasl.mechanism"] = "PLAIN"
        options.kafka["sasl.username"] = "someone"
        options.kafka["sasl.password"] = "wrong"
        options.startTimeout = patience
        let (final, store) = (options, store)
        let error = try await #require(throws: FunnelConsumerError.self) {
            try await FunnelConsumer(options: final, store: store, logger: silent).run()
        }
        #expect(error.code == .credentials && error.description.contains("sasl.username"))
        #expect(!error.description.contains("wrong"))
    }
}
