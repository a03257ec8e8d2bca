import FlowEvents
import FlowTestSupport
import FunnelStore
import Funnels
import RDKafka
import Testing

@testable import FunnelConsumer

/// Tests records that librdkafka cannot read.
@Suite(.waits, .timeLimit(.minutes(10))) struct UnreadableBatchTests {
    private let cluster: Cluster
    private let store = MemoryFunnelStore()

    init() throws {
        cluster = try Cluster(partitions: 2)
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
        try await cluster.publish([view("home", "a", second: 0)])
        try await publishBomb(of: 1)
        try await publishBomb(of: 5)
        try await cluster.publish([view("paywall", "a", second: 60)])
        try await cluster.publish([view("home", "b", second: 0)], partition: 1)
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
}
