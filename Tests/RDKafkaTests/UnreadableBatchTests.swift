import FlowTestSupport
import Testing

@testable import RDKafka

@Suite(.waits) struct UnreadableBatchTests {
    /// A consumer with these limits cannot read a batch that has more than 1,000,512 bytes when it is decompressed.
    private let narrow: KafkaConfiguration = [
        "fetch.max.bytes": "1000000", "receive.message.max.bytes": "1000512", "fetch.error.backoff.ms": "10",
    ]

    /// Publishes records of equal bytes, which zstd makes small, as one batch.
    private func publishBatch(of count: Int, bytes: Int, to broker: EmbeddedBroker) async throws {
        let producer = try broker.producer([
            "linger.ms": "200", "batch.size": "100000000", "message.max.bytes": "100000000",
        ])
        let message = ProducerMessage(value: [UInt8](repeating: 0x78, count: bytes), partition: 0)
        for result in await producer.send(Array(repeating: message, count: count), to: "t") { _ = try result.get() }
        await producer.close(within: patience)
    }

    @Test(arguments: [1, 2, 7, 40])
    func `a batch that cannot be decompressed is reported with its first offset, and its end is found`(count: Int)
        async throws
    {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        try await broker.publish(0..<3, to: "t")
        try await publishBatch(of: count, bytes: 2_000_000 / count, to: broker)
        try await broker.publish(0..<2, to: "t")
        let (configuration, partition) = (broker.configuration(narrow), TopicPartition(topic: "t", partition: 0))
        try await onThread {
            let consumer = try broker.consumer(narrow)
            try consumer.assign("t", at: .earliest)
            let read = try consumer.read { _, events in events.contains { $0.isUnreadable } }
            #expect(read.records.map(\.offset) == [0, 1, 2])
            guard case .unreadable(partition, offset: 3, let error)? = read.events.first(where: \.isUnreadable) else {
                Issue.record("another event: \(read.events)")
                return
            }
            #expect(error.partition == 0 && error.topic == "t")
            let end = try UnreadableBatch(partition, offset: 3)
                .end(from: 3, configuration: configuration, within: patience, logger: silent)
            #expect(end == Int64(3 + count))
            try consumer.seek([PartitionStart(partition, at: .offset(end))])
            let rest = try consumer.read { _, events in events.contains { $0.isEndOfPartition } }
            #expect(rest.records.map(\.offset) == [end, end + 1])
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 31, 32, 33, 1_000_000])
    func `the end is found for any size, also at the end of the partition, in few requests`(count: Int64) {
        for (first, high) in [(Int64(0), count), (10, 10 + count), (10, 10 + count + 1), (10, 5_000_000)] {
            var requests = 0
            let end = UnreadableBatch.end(from: first, high: high) { offset in
                requests += 1
                return offset < first + count
            }
            #expect(end == first + count)
            #expect(requests <= 42)
        }
    }

    @Test func `a position in the middle of the batch is enough`() {
        #expect(UnreadableBatch.end(from: 15, high: 1000) { $0 < 20 } == 20)
        // The end of the partition is not known yet.
        #expect(UnreadableBatch.end(from: 15, high: 3) { _ in true } == 16)
    }
}

extension ConsumerEvent {
    fileprivate var isUnreadable: Bool { if case .unreadable = self { true } else { false } }
    fileprivate var isEndOfPartition: Bool { if case .endOfPartition = self { true } else { false } }
}
