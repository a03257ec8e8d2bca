import FlowEventTestSupport
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import RDKafka
import Synchronization
import Testing

@testable import FunnelConsumer

/// Tests when a run commits.
@Suite(.waits, .timeLimit(.minutes(10))) struct ConsumerLoopCommitTests {
    /// Counts the topic in a store that knows the partition already. Otherwise its beginning is the first commit.
    ///
    /// - Returns: the offset of the first commit.
    private func firstCommit(_ cluster: Cluster, _ funnels: [Funnel], upTo end: Int64) async throws -> Int64 {
        let firstOffset = Mutex<Int64?>(nil)
        let store = RivalStore { _, commit in firstOffset.withLock { $0 = commit.partitions.first?.nextOffset } }
        let options = cluster.options(funnels)
        try await onThread {
            let loop = try ConsumerLoop(options: options, store: store, logger: silent) { false }
            let clusterID = try loop.consumer.clusterID(within: patience)
            let contents = store.contents
            _ = try contents.open(StoreIdentity(clusterID: clusterID, topic: Cluster.topic, funnels: funnels))
            let begun = PartitionAdvance(
                partition: 0,
                expectedOffset: nil,
                nextOffset: 0,
                watermark: nil,
                quality: Quality()
            )
            _ = try contents.commit(StoreCommit(partitions: [begun], installs: [], summary: []))
            // A commit is due after each poll, unless the consumer is behind.
            let limits = CommitSchedule.byteLimits(cacheBytes: 0, inBatches: false)
            loop.schedule = CommitSchedule(interval: .seconds(600), byteLimits: limits, now: .now - .seconds(900))
            try loop.run()
        }
        #expect(try store.contents.nextOffset() == end)
        return try #require(firstOffset.withLock { $0 })
    }

    @Test func `a consumer that is behind reads on before it commits`() async throws {
        let cluster = try Cluster()
        let funnels = try homeToPaywall()
        let count: Int64 = 3000
        try await cluster.publish((0..<count).map { screenView("home", "i\($0)", second: $0) })
        var offset: Int64 = 0
        // A broker that pauses between two answers lets the consumer commit early, as after the last record.
        for _ in 0..<20 where offset <= count * 9 / 10 {
            offset = try await firstCommit(cluster, funnels, upTo: count)
        }
        #expect(offset > count * 9 / 10)
    }
}
