import FlowTestSupport
import FunnelStoreTestSupport
import RDKafka
import Testing

@testable import FunnelConsumer

/// A topic that is deleted under a consumer with a store of its own.
@Suite(.waits, .timeLimit(.minutes(10))) struct MissingTopicTests {
    @Test func `a partition without further records counts as read each minute, while its topic is there`() async throws
    {
        let cluster = try Cluster()
        let (options, store) = (cluster.options(try homeToPaywall(), exitsAtEnd: false), TemporaryStore())
        let lines = LogLines()
        let confirmed = try await onThread {
            let loop = try ConsumerLoop(options: options, store: store, logger: lines.logger) { false }
            defer { loop.consumer.close() }
            // The consumer of a store of its own assigns the partitions.
            try loop.watchAssignment(now: loop.nextAssignmentCheck)
            try loop.handle(.endOfPartition(TopicPartition(topic: Cluster.topic, partition: 0), offset: 5))
            try loop.commitAll()
            var now = loop.nextEndConfirmation
            func confirms(_ error: KafkaError.Code?) throws -> Bool {
                cluster.broker.setError(error, ofTopic: Cluster.topic)
                try loop.watchAssignment(now: now)
                now += .seconds(120)
                defer { _ = loop.intake.takeAdvances() }
                return loop.intake.hasChanges
            }
            return try [nil, .unknownTopicOrPartition, nil].map(confirms)
        }
        #expect(confirmed == [true, false, true])
        #expect(lines.all.filter { $0.contains("the topic is gone; waiting for it") }.count == 1)
    }
}
