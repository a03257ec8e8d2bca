import FlowTestSupport
import KafkaTestSupport
import RDKafka
import Testing

extension ConsumerTests {
    @Test func `a broker that is down at the start is reported with its address, and read once it is up`() async throws
    {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        try await broker.publish(0..<5, to: "t")
        try broker.cutOff()
        try await onThread {
            let consumer = try broker.consumer()
            try consumer.assign("t", at: .earliest)
            let down = try consumer.read { _, events in events.contains { $0.isUnreachableBroker } }
            let errors = down.events.compactMap { if case .error(let error) = $0 { error } else { nil } }
            #expect(errors.contains { "\($0)".contains(broker.bootstrapServers) && $0.isRetriable })
            let error = #expect(throws: KafkaError.self) {
                try consumer.watermarks(of: TopicPartition(topic: "t", partition: 0), within: .milliseconds(200))
            }
            #expect("\(try #require(error))".contains(broker.bootstrapServers))
            try broker.bringUp()
            let read = try consumer.read { records, _ in records.count >= 5 }
            #expect(read.records.map(\.offset) == [0, 1, 2, 3, 4])
        }
    }

    @Test func `an outage of the broker neither loses nor repeats records`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        try await broker.publish(0..<2000, to: "t")
        try await onThread {
            let consumer = try broker.consumer(["fetch.message.max.bytes": "1000"])
            try consumer.assign("t", at: .earliest)
            var offsets = try consumer.read(maxRecords: 100) { records, _ in records.count >= 100 }.records.map(
                \.offset
            )
            try broker.cutOff()
            let down = try consumer.read { _, events in events.contains { $0.isUnreachableBroker } }
            offsets += down.records.map(\.offset)
            try broker.bringUp()
            let missing = 2000 - offsets.count
            offsets += try consumer.read { records, _ in records.count >= missing }.records.map(\.offset)
            #expect(offsets == Array(0..<2000))
        }
    }

    @Test func `a topic that does not exist is reported, and read once it exists`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 2)
        // Without this error the mock cluster would create the topic for the first request.
        broker.setError(.unknownTopicOrPartition, ofTopic: "t")
        try await onThread {
            let consumer = try broker.consumer(group: "late")
            #expect(try consumer.partitionCount(of: "never", within: patience) == nil)
            #expect(try consumer.partitionCount(of: "t", within: patience) == nil)
            try consumer.subscribe(to: ["t"])
            let before = try consumer.read { _, events in events.contains { $0.isTopicUnavailable } }
            guard case .topicUnavailable("t", let error)? = before.events.first(where: \.isTopicUnavailable) else {
                Issue.record("another topic: \(before.events)")
                return
            }
            #expect(error.isRetriable)
            broker.setError(nil, ofTopic: "t")
            let after = try consumer.read { _, events in events.contains { $0.isAssigned } }
            guard case .assigned(let partitions)? = after.events.last else { return }
            #expect(partitions.map(\.partition) == [0, 1])
            #expect(try consumer.partitionCount(of: "t", within: patience) == 2)
            consumer.close()
        }
    }

    @Test(arguments: [false, true])
    func `the watermarks of a leader that falls silent are waited for no longer than asked`(isDown: Bool) async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        try await broker.publish(0..<3, to: "t")
        try await onThread {
            let consumer = try broker.consumer()
            #expect(try consumer.watermarks(of: partition, within: patience) == Watermarks(low: 0, high: 3))
            if isDown { try broker.cutOff() } else { try broker.setRoundTrip(.seconds(3600)) }
            let start = ContinuousClock.now
            let error = #expect(throws: KafkaError.self) {
                try consumer.watermarks(of: partition, within: .milliseconds(500))
            }
            #expect(try #require(error).isRetriable)
            // librdkafka itself waits for a minute.
            #expect(ContinuousClock.now - start < .seconds(50))
            if isDown { try broker.bringUp() } else { try broker.setRoundTrip(.zero) }
            guard isDown else { return }
            #expect(try consumer.watermarks(of: partition, within: patience) == Watermarks(low: 0, high: 3))
        }
    }
}
