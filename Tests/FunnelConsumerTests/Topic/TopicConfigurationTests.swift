import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import RDKafka
import Testing

@testable import FunnelConsumer

/// What a consumer does with a topic's configuration, which librdkafka's mock cluster does not have.
@Suite(.waits, .timeLimit(.minutes(10))) struct TopicConfigurationTests {
    @Test(arguments: ["compact", "compact,delete", "delete"])
    func `a compacted topic is warned of once, and the offsets that hold no record reach the report`(
        policy: String
    ) async throws {
        let cluster = try Cluster()
        let (options, store, lines) = (cluster.options(try homeToPaywall()), TemporaryStore(), LogLines())
        let isCompacted = policy != "delete"
        let identity = StoreIdentity(clusterID: "c", topic: Cluster.topic, funnels: options.funnels)
        let compacted = try await onThread {
            let loop = try ConsumerLoop(options: options, store: store, logger: lines.logger) { false }
            defer { loop.consumer.close() }
            _ = try store.open(identity)
            loop.commitThread = try loop.makeCommitThread(options.funnels, isNew: true)
            loop.learn(["cleanup.policy": policy, "message.timestamp.type": "LogAppendTime"])
            loop.checkTopicConfiguration()
            loop.intake.assign(0, stored: nil)
            try loop.handle(.endOfPartition(TopicPartition(topic: Cluster.topic, partition: 0), offset: 143))
            try loop.commitAll()
            return try store.withSnapshot { try $0.quality().compacted }
        }
        #expect(compacted == (isCompacted ? 143 : 0))
        let warnings = lines.all.filter { $0.hasPrefix("warning the topic forgets events (cleanup.policy=compact)") }
        #expect(warnings.count == (isCompacted ? 1 : 0))
    }
}
