import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Logging
import RDKafka
import Testing

@testable import FunnelConsumer

/// Tests records that librdkafka cannot read.
@Suite(.waits, .timeLimit(.minutes(10))) struct UnreadableBatchTests {
    private let cluster: Cluster
    private let store = TemporaryStore()

    init() throws {
        self.init(cluster: try Cluster(partitions: 2))
    }

    private init(cluster: Cluster) {
        self.cluster = cluster
    }

    /// Options with a small limit: a batch that has more than 1,000,512 bytes when it is decompressed cannot be read.
    private func options(exitsAtEnd: Bool = true) throws -> FunnelConsumerOptions {
        var options = cluster.options(try homeToPaywall(), exitsAtEnd: exitsAtEnd)
        options.kafka["fetch.max.bytes"] = "1000000"
        options.kafka["receive.message.max.bytes"] = "1000512"
        return options
    }

    /// Publishes records of equal bytes, which zstd makes small, as one batch.
    private func publishBomb(of count: Int, partition: Int32 = 0) async throws {
        let value = [UInt8](repeating: 0x78, count: 3_000_000 / count)
        try await cluster.publish(
            Array(repeating: ProducerMessage(value: value, partition: partition), count: count),
            ["linger.ms": "200", "batch.size": "100000000", "message.max.bytes": "100000000"]
        )
    }

    @Test(arguments: [true, false])
    func `the consumer passes by batches that it can never read, counts them as unread and says so`(exitsAtEnd: Bool)
        async throws
    {
        try await cluster.publish([screenView("home", "a", second: 0)])
        try await publishBomb(of: 1)
        try await publishBomb(of: 5)
        try await cluster.publish([screenView("paywall", "a", second: 60)])
        try await cluster.publish([screenView("home", "b", second: 0)], partition: 1)
        try await publishBomb(of: 3, partition: 1)
        let (options, lines) = (try self.options(exitsAtEnd: exitsAtEnd), LogLines())
        let consumer = FunnelConsumer(options: options, store: store, logger: lines.logger)
        if exitsAtEnd {
            try await consumer.run()
        } else {
            async let end: Void = consumer.run()
            try await until("everything is read") {
                try store.nextOffset(0) == 8 && store.nextOffset(1) == 4
            }
            consumer.stop()
            try await end
        }
        #expect(lines.contains("these records cannot be read"))
        #expect(try store.nextOffset(0) == 8 && store.nextOffset(1) == 4)
        let report = try store.report()
        #expect(report.quality == Quality(events: 3, unread: 9))
        #expect(report.funnels.first?.steps.map(\.count) == [2, 1])

        let verifier = FunnelVerifier(
            kafka: options.kafka,
            topic: Cluster.topic,
            allowedLateness: options.allowedLateness,
            logger: silent
        )
        let verification = try await onThread { [store] in try verifier.verify(store) }
        #expect(verification.isEqual, "\(String(describing: verification.quality))")
    }

    // The second partition answers late, so that what comes after the first one's end arrives during the run.
    private func slowCluster() throws -> Cluster {
        let cluster = try Cluster(partitions: 2, brokers: 2)
        for partition in 0..<2 {
            let topicPartition = TopicPartition(topic: Cluster.topic, partition: Int32(partition))
            try cluster.broker.setLeader(of: topicPartition, to: partition + 1)
        }
        return cluster
    }

    @Test func `a batch after the end offset that cannot be read takes no record from the next run`() async throws {
        let test = try Self(cluster: slowCluster())
        let cluster = test.cluster
        try await cluster.publish([screenView("home", "a", second: 0)])
        try await cluster.publish([screenView("home", "b", second: 0)], partition: 1)
        try cluster.broker.setRoundTrip(.seconds(1), broker: 2)
        let publication = Flag()
        // The end offsets are known when the log says "reading".
        let logger = HookLogHandler.logger { line in
            guard "\(line.message)" == "reading", publication.raise() else { return }
            blocking {
                try? await cluster.publish([screenView("paywall", "a", second: 60)])
                try? await test.publishBomb(of: 3)
            }
        }
        try await FunnelConsumer(options: test.options(), store: test.store, logger: logger).run()
        #expect(publication.isRaised)
        #expect(try test.store.nextOffset(0) == 1 && test.store.report().quality == Quality(events: 2))

        try await FunnelConsumer(options: test.options(), store: test.store, logger: silent).run()
        #expect(try test.store.nextOffset(0) == 5)
        let report = try test.store.report()
        #expect(report.quality == Quality(events: 3, unread: 3))
        #expect(report.funnels.first?.steps.map(\.count) == [2, 1])
    }

    @Test func `a batch after the store's offset that cannot be read is not of the comparison`() async throws {
        let test = try Self(cluster: slowCluster())
        let cluster = test.cluster
        try await cluster.publish([screenView("home", "a", second: 0)])
        try await cluster.publish([screenView("home", "b", second: 0)], partition: 1)
        let options = try test.options()
        try await FunnelConsumer(options: options, store: test.store, logger: silent).run()
        try await cluster.publish([screenView("paywall", "a", second: 60)])
        try await test.publishBomb(of: 3)
        try cluster.broker.setRoundTrip(.seconds(1), broker: 2)
        let store = test.store
        let lines = LogLines()
        let verifier = FunnelVerifier(
            kafka: options.kafka,
            topic: Cluster.topic,
            allowedLateness: options.allowedLateness,
            logger: lines.logger
        )
        let verification = try await onThread { try verifier.verify(store) }
        #expect(verification.isEqual && verification.recordCount == 2)
        #expect(!lines.contains("these records cannot be read"))
    }
}
