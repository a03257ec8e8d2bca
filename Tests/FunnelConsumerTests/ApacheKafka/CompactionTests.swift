import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelConsumer
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import RDKafka
import Testing

/// Topics that forget events, on a real broker.
@Suite(.waits, .needsApacheKafka, .timeLimit(.minutes(10))) struct CompactionTests {
    private let funnels: [Funnel]

    init() throws { funnels = try homeToPaywall() }

    @Test func `a compacted topic is named at the start, and the records that it has lost are counted`() async throws {
        // The broker's cleaner looks every 15 seconds for segments that are no longer written to.
        let cluster = try RealCluster(
            partitions: 1,
            [
                "cleanup.policy": "compact", "segment.ms": "100", "min.cleanable.dirty.ratio": "0",
                "max.compaction.lag.ms": "100",
            ]
        )
        var progress: [PartitionProgress] = []
        try await until("records are deleted", within: .seconds(300)) {
            let events = try (0..<50).map { try message(screenView("home", "i\($0 % 2)", second: Int64($0))) }
            for result in try await cluster.publish(events) { _ = try result.get() }
            let store = TemporaryStore()
            let lines = LogLines()
            try await cluster.count(funnels, into: store, lines)
            #expect(lines.contains("the topic forgets events (cleanup.policy=compact)"))
            progress = try store.progress()
            return progress.contains { $0.quality.compacted > 0 }
        }
        let partition = try #require(progress.first)
        #expect(partition.quality.events + partition.quality.compacted == partition.nextOffset)
        #expect(partition.quality.unread == 0 && partition.isAtEnd)
    }
}
