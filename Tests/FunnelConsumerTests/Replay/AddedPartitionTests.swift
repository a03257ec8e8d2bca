import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import RDKafka
import Testing

@testable import FunnelConsumer

/// A partition that is first read when the store has removed evidence: consumer, verification and rebuild judge its events
/// by the same floor.
@Suite(.waits, .timeLimit(.minutes(10))) struct AddedPartitionTests {
    private let cluster: Cluster
    private let store = TemporaryStore()
    private let funnels: [Funnel]

    init() throws {
        cluster = try Cluster(partitions: 2)
        funnels = try homeToPaywall()
    }

    private func verify() async throws -> Verification {
        let verifier = FunnelVerifier(
            kafka: cluster.configuration,
            topic: Cluster.topic,
            allowedLateness: .seconds(14 * 86_400),
            logger: silent
        )
        return try await onThread { [store] in try verifier.verify(store) }
    }

    @Test func `late events of an added partition are late in the topic too`() async throws {
        let day: Int64 = 86_400
        try await countWithOnePartition((0..<60).map { screenView("home", "i\($0 % 7)", second: Int64($0) * day) })
        // The horizon is 14 days before the last event.
        #expect(try store.horizon() == screenView("", "", second: 45 * day).time)
        let late = [
            screenView("home", "i0", second: 3 * day + 5), screenView("paywall", "i1", second: 1 * day + 60),
            screenView("home", "i2", second: 2 * day), screenView("home", "new", second: 45 * day - 1),
        ]
        let others = [screenView("home", "new", second: 45 * day), screenView("paywall", "i4", second: 50 * day + 5)]
        try await cluster.publish(late + others, partition: 1)
        try await cluster.count(funnels, into: store)
        #expect(try store.report().quality == Quality(events: 66, late: 4))
        #expect(try store.progress().map(\.floor) == [nil, store.horizon()])
        for _ in 0..<2 {
            let verification = try await verify()
            #expect(verification.isEqual && verification.differences.isEmpty)
            // More evidence is removed, of events that counted on the added partition, too.
            for partition in 0..<2 as Range<Int32> {
                let later = (0..<7).map { screenView("home", "i\($0)", second: Int64(100 + $0) * day) }
                try await cluster.publish(later, partition: partition)
                try await cluster.count(funnels, into: store)
            }
        }
    }

    @Test func `a funnel that is rebuilt leaves out the late events of an added partition`() async throws {
        let day: Int64 = 86_400
        try await countWithOnePartition((0..<60).map { screenView("home", "i\($0 % 7)", second: Int64($0) * day) })
        try await cluster.publish(
            [screenView("home", "new", second: 3 * day), screenView("home", "new", second: 50 * day)],
            partition: 1
        )
        try await cluster.count(funnels, into: store)
        let rebuilder = FunnelRebuilder(
            kafka: cluster.configuration,
            topic: Cluster.topic,
            funnels: funnels + [try visitors()],
            allowedLateness: .seconds(14 * 86_400),
            logger: silent
        )
        try await onThread { [store] in _ = try rebuilder.rebuild(rebuilder.plan([], in: store), in: store) }
        let report = try store.withSnapshot {
            try FunnelReport.figures(from: $0, funnels: store.funnels, to: Day("2026-03-10"))
        }
        #expect(report.funnels.map { $0.steps[0].count } == [7, 7] && report.quality.late == 1)
        #expect(try await verify().isEqual)
    }

    /// Publishes events to partition 0 and counts them, as if the topic had no other partition yet.
    private func countWithOnePartition(_ events: [Event]) async throws {
        let configuration = cluster.configuration
        let clusterID = try await onThread {
            let consumer = try Consumer(configuration: configuration, groupID: nil, logger: silent)
            defer { consumer.close() }
            return try consumer.clusterID(within: patience)
        }
        _ = try store.open(StoreIdentity(clusterID: clusterID, topic: Cluster.topic, funnels: funnels))
        try await cluster.publish(events, partition: 0)
        let bounds = FunnelBounds(allowedLateness: 14 * 86_400_000)
        var intake = RecordIntake(funnels: funnels, allowedLateness: bounds.allowedLateness)
        intake.assign(0, stored: nil)
        var committer = Committer(store: store, funnels: funnels, bounds: bounds, partitionCount: 1, isNew: true)
        for (offset, event) in events.enumerated() {
            try event.encoded().withUnsafeBytes {
                _ = intake.take($0, timestamp: event.time, partition: 0, offset: Int64(offset))
            }
            #expect(try committer.commit(intake.takeInterval(), intake.takeAdvances()) == nil)
        }
    }
}
