import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import KafkaTestSupport
import RDKafka
import Testing

@testable import FunnelConsumer

/// Tests what a run does with the partitions that it gets.
@Suite(.waits, .timeLimit(.minutes(10))) struct ConsumerLoopAssignmentTests {
    private let funnels: [Funnel]

    init() throws { funnels = try homeToPaywall() }

    @Test func `partitions are read once the store knows by what lateness`() async throws {
        let (cluster, store) = (try Cluster(), TemporaryStore())
        var options = cluster.options(funnels, exitsAtEnd: false)
        options.topic = "not-there-yet"
        let finalOptions = options
        try await onThread {
            let loop = try ConsumerLoop(options: finalOptions, store: store, logger: silent) { false }
            defer { loop.consumer.close() }
            _ = try store.open(StoreIdentity(clusterID: "c", topic: finalOptions.topic, funnels: finalOptions.funnels))
            loop.commitThread = try loop.makeCommitThread(finalOptions.funnels, isNew: true)
            let assigned = ConsumerEvent.assigned([TopicPartition(topic: finalOptions.topic, partition: 0)])
            // Without the number of partitions, no horizon says which events are late.
            try loop.handle(assigned)
            #expect(loop.intake.position(of: 0) == nil && loop.consumer.assignment.isEmpty)
            try cluster.broker.createTopic(finalOptions.topic, partitions: 1)
            try loop.handle(assigned)
            #expect(loop.intake.position(of: 0) == 0 && loop.consumer.assignment.count == 1)
            let lateness = try store.withSnapshot { try $0.topicProgress().greatestLateness }
            #expect(lateness == finalOptions.bounds.allowedLateness)
        }
    }

    @Test func `an assignment that takes the place of another one counts nothing twice`() async throws {
        let cluster = try Cluster(partitions: 2)
        let events = (0..<5).map { screenView("home", "i\($0)", second: Int64($0)) }
        try await cluster.publish(events)
        let (options, store) = (cluster.options(funnels, exitsAtEnd: false), TemporaryStore())
        try await onThread {
            let loop = try ConsumerLoop(options: options, store: store, logger: silent) { false }
            defer { loop.consumer.close() }
            _ = try store.open(StoreIdentity(clusterID: "c", topic: options.topic, funnels: options.funnels))
            loop.commitThread = try loop.makeCommitThread(options.funnels, isNew: true)
            let partitions = (0..<2).map { TopicPartition(topic: options.topic, partition: $0) }
            try loop.handle(.assigned(partitions))
            for (offset, event) in events.enumerated() {
                try event.encoded().withUnsafeBytes {
                    _ = loop.intake.take($0, timestamp: nil, partition: 0, offset: Int64(offset))
                }
            }
            // As librdkafka 2.8 does with `group.protocol=consumer`: nothing was revoked before.
            try loop.handle(.assigned([partitions[0]]))
            #expect(loop.intake.position(of: 0) == 5 && loop.intake.position(of: 1) == nil)
            #expect(loop.intake.pending.eventCount == 0)
        }
        #expect(try store.eventCount() == 5)
    }
}
