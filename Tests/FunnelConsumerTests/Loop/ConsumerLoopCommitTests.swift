import FlowTestSupport
import FunnelStore
import FunnelTestSupport
import Funnels
import RDKafka
import Synchronization
import Testing

@testable import FunnelConsumer

/// Tests when a run commits.
@Suite(.waits, .timeLimit(.minutes(10))) struct ConsumerLoopCommitTests {
    @Test func `a consumer that is behind reads on before it commits`() async throws {
        let cluster = try Cluster()
        let funnels = try homeToPaywall()
        let count = 3000
        try await cluster.publish((0..<count).map { view("home", "i\($0)", second: Int64($0)) })
        let firstOffset = Mutex<Int64?>(nil)
        let store = RivalStore { _, commit in firstOffset.withLock { $0 = commit.partitions.first?.nextOffset } }
        let options = cluster.options(funnels)
        try await onThread {
            let loop = try ConsumerLoop(options: options, store: store, logger: silent) { false }
            // The partition has begun already. Otherwise its beginning is the first commit.
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
            loop.schedule = CommitSchedule(interval: .seconds(600), now: .now - .seconds(900))
            try loop.run()
        }
        #expect(try #require(firstOffset.withLock { $0 }) > Int64(count) * 9 / 10)
        #expect(try store.contents.nextOffset() == Int64(count))
    }
}
