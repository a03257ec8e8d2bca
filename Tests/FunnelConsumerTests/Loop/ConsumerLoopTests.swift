import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import KafkaTestSupport
import Logging
import RDKafka
import Testing

@testable import FunnelConsumer

/// Tests what a run does when something happens in the middle of it.
@Suite(.waits, .timeLimit(.minutes(10))) struct ConsumerLoopTests {
    private let cluster: Cluster
    private let funnels: [Funnel]

    init() throws {
        cluster = try Cluster()
        funnels = try homeToPaywall()
    }

    private func oracle(_ events: [Event]) -> FunnelReport {
        FunnelOracle(funnels: funnels, records: events.map { FunnelOracle.Record($0) }).report()
    }

    @Test func `what comes after the end offsets is left for the next run`() async throws {
        // The second partition answers late, so that the first one's new end arrives during the run.
        let cluster = try Cluster(partitions: 2, brokers: 2)
        try cluster.broker.setLeader(of: TopicPartition(topic: Cluster.topic, partition: 0), to: 1)
        try cluster.broker.setLeader(of: TopicPartition(topic: Cluster.topic, partition: 1), to: 2)
        let events = [
            screenView("home", "a", second: 0), screenView("paywall", "a", second: 1),
            screenView("home", "b", second: 0),
        ]
        try await cluster.publish([events[0]])
        try await cluster.publish([events[2]], partition: 1)
        try cluster.broker.setRoundTrip(.seconds(1), broker: 2)
        let store = TemporaryStore()
        let publication = Flag()
        // The end offsets are known when the log says "reading".
        let logger = HookLogHandler.logger { line in
            guard "\(line.message)" == "reading", publication.raise() else { return }
            blocking { try? await cluster.publish([events[1]]) }
        }
        try await cluster.count(funnels, into: store, logger: logger)
        #expect(publication.isRaised)
        #expect(try store.nextOffset() == 1 && store.eventCount() == 2)

        try await cluster.count(funnels, into: store)
        #expect(try store.report() == oracle(events))
    }

    @Test func `being stopped commits what was read`() async throws {
        try await cluster.publish((0..<50).map { screenView("home", "i\($0)", second: Int64($0)) })
        var options = cluster.options(funnels, exitsAtEnd: false)
        options.commitInterval = .seconds(3600)
        let store = TemporaryStore()
        let finalOptions = options
        try await onThread {
            let view = LoopView()
            // Called before each poll. It stops the run as soon as something is read, which only its end can commit then.
            let loop = try ConsumerLoop(options: finalOptions, store: store, logger: silent) { view.hasRead }
            view.loop = loop
            try loop.run()
        }
        let progress = try #require(try store.progress().first)
        #expect(progress.nextOffset > 0 && progress.quality.events == progress.nextOffset)
        #expect(try store.report().funnels.first?.steps.first?.count == Int(progress.nextOffset))
    }

    @Test func `what another consumer has counted meanwhile is not counted again`() async throws {
        let events = (0..<20).map { screenView($0 % 2 == 0 ? "home" : "paywall", "i\($0 / 2)", second: Int64($0)) }
        try await cluster.publish(events)
        // Another consumer has committed the same records before.
        let store = RivalStore { contents, commit throws(StoreError) in _ = try contents.commit(commit) }
        let lines = LogLines()
        try await cluster.count(funnels, into: store, logger: lines.logger)
        guard case .fenced = store.allOutcomes.first else {
            Issue.record("the first commit was not fenced: \(store.allOutcomes)")
            return
        }
        #expect(lines.contains("reading again from the store's offsets"))
        #expect(try store.contents.report() == oracle(events))
    }

    @Test func `a consumer that is behind another goes on where the other stands`() async throws {
        let events = (0..<20).map { screenView($0 % 2 == 0 ? "home" : "paywall", "i\($0 / 2)", second: Int64($0)) }
        try await cluster.publish(events)
        let funnels = funnels
        // Another consumer has committed only the first half.
        let store = RivalStore { contents, _ throws(StoreError) in
            let begun = try contents.progress().first
            let commit = try Rival.commit(Array(events.prefix(9)), partition: 0, funnels: funnels, after: begun)
            _ = try contents.commit(commit)
        }
        try await cluster.count(funnels, into: store)
        #expect(store.allOutcomes.count >= 2 && store.allOutcomes.last == .committed)
        #expect(try store.contents.report() == oracle(events))
    }

    @Test func `installs that another consumer has written are united with what it wrote`() async throws {
        let homes = (0..<20).map { screenView("home", "i\($0)", second: Int64($0)) }
        // Events of another partition, with repeats of the first ones.
        let others = (0..<15).map { screenView("paywall", "i\($0)", second: 60 + Int64($0)) } + homes.prefix(3)
        try await cluster.publish(homes)
        let funnels = funnels
        let store = RivalStore { contents, _ throws(StoreError) in
            _ = try contents.commit(Rival.commit(others, partition: 1, funnels: funnels))
        }
        try await cluster.count(funnels, into: store)
        guard case .conflicts = store.allOutcomes.first else {
            Issue.record("the first commit met no conflict: \(store.allOutcomes)")
            return
        }
        #expect(try store.contents.report() == oracle(homes + others))
    }

    @Test func `an offset that the broker no longer has is asked for again from the store`() async throws {
        let events = (0..<10).map { screenView("home", "i\($0)", second: Int64($0)) }
        try await cluster.publish(events)
        cluster.broker.fail(.fetch, with: [.offsetOutOfRange])
        let (store, lines) = (TemporaryStore(), LogLines())
        try await cluster.count(funnels, into: store, logger: lines.logger)
        #expect(lines.contains("records were deleted before they were read"))
        #expect(try store.report() == oracle(events))
    }

    @Test func `a partition without a leader holds up no other one, and is read when it has one`() async throws {
        let cluster = try Cluster(partitions: 3, brokers: 2)
        for partition in 0..<3 {
            try await cluster.publish([screenView("home", "i\(partition)", second: 0)], partition: Int32(partition))
        }
        // The store knows partition 1, and not partition 2.
        let store = TemporaryStore()
        let leaderless = [1, 2].map { TopicPartition(topic: Cluster.topic, partition: $0) }
        let options = cluster.options(funnels, exitsAtEnd: false)
        let first = FunnelConsumer(options: options, store: store, logger: silent)
        async let firstEnd: Void = first.run()
        try await until("the first events are counted") { try store.eventCount() == 3 }
        first.stop()
        try await firstEnd
        for partition in leaderless { try cluster.broker.setLeader(of: partition, to: nil) }
        try await cluster.publish([screenView("paywall", "i0", second: 60)], partition: 0)

        let known = TemporaryStore()
        let identity = try #require(try store.withAudit { try $0.identity() })
        _ = try known.open(identity)
        let advance = PartitionAdvance(
            partition: 1,
            expectedOffset: nil,
            nextOffset: 1,
            watermark: nil,
            quality: Quality(events: 1)
        )
        _ = try known.commit(StoreCommit(partitions: [advance], installs: [], summary: []))
        let second = FunnelConsumer(options: options, store: known, logger: silent)
        async let secondEnd: Void = second.run()
        try await until("the partition with a leader is read") { try known.nextOffset(0) == 2 }
        #expect(try known.nextOffset(2) == nil)
        for partition in leaderless { try cluster.broker.setLeader(of: partition, to: 1) }
        try await cluster.publish([screenView("paywall", "i1", second: 60)], partition: 1)
        try await until("the others are read") {
            try known.nextOffset(1) == 2 && known.nextOffset(2) == 1
        }
        second.stop()
        try await secondEnd
        #expect(try known.report().quality == Quality(events: 5))
    }

    @Test func `a fence while a partition's leader is down does not end the run`() async throws {
        let cluster = try Cluster(partitions: 2, brokers: 2)
        try cluster.broker.setCoordinator(ofGroup: "test", to: 1)
        for partition in [0, 1] {
            let topicPartition = TopicPartition(topic: Cluster.topic, partition: Int32(partition))
            try cluster.broker.setLeader(of: topicPartition, to: partition + 1)
        }
        let events = (0..<4).map { screenView("home", "i\($0)", second: Int64($0)) }
        try await cluster.publish(events)
        let broker = cluster.broker
        // Another consumer has committed the same records before, and the leader of the other partition does not answer.
        let store = RivalStore { contents, commit throws(StoreError) in
            #expect(throws: Never.self) { try broker.cutOff(2) }
            _ = try contents.commit(commit)
        }
        let consumer = FunnelConsumer(
            options: cluster.options(funnels, exitsAtEnd: false),
            store: store,
            logger: silent
        )
        async let end: Void = consumer.run()
        try await until("the rival has committed") { !store.allOutcomes.isEmpty }
        try await cluster.publish([screenView("paywall", "i0", second: 60)])
        try await until("it reads on") { try store.nextOffset(0) == 5 }
        consumer.stop()
        try await end
        #expect(try store.contents.report() == oracle(events + [screenView("paywall", "i0", second: 60)]))
    }

    @Test func `an end that no record comes for is committed`() async throws {
        let (options, store) = (cluster.options(funnels), TemporaryStore())
        let nextOffset = try await onThread {
            let loop = try ConsumerLoop(options: options, store: store, logger: silent) { false }
            defer { loop.consumer.close() }
            loop.intake.assign(0, stored: nil)
            // As after a transaction's marker, which is not delivered.
            try loop.handle(.endOfPartition(TopicPartition(topic: Cluster.topic, partition: 0), offset: 5))
            try loop.commitAll()
            return try store.nextOffset()
        }
        #expect(nextOffset == 5)
        #expect(try store.eventCount() == 0)
    }

    @Test func `a commit that hangs is told in the log`() async throws {
        try await cluster.publish([screenView("home", "a", second: 0)])
        let lines = LogLines()
        let store = RivalStore { _, _ in
            blocking { try? await until("the commit is told") { lines.contains("a commit is not done yet") } }
        }
        var options = cluster.options(funnels, exitsAtEnd: false)
        options.slowCommit = .milliseconds(50)
        let consumer = FunnelConsumer(options: options, store: store, logger: lines.logger)
        async let end: Void = consumer.run()
        try await until("the commit is done") { try store.contents.eventCount() == 1 }
        #expect(lines.contains("a commit is not done yet"))
        consumer.stop()
        try await end
    }

    @Test func `a partition that begins with what is not delivered has lost no first entry`() async throws {
        let funnels = [
            try Funnel(
                name: "f",
                entry: .first,
                window: .seconds(60),
                steps: [Step(name: "home", event: "screen_view", where: ["screen": "home"])]
            )
        ]
        let (options, store) = (cluster.options(funnels), TemporaryStore())
        // As after an aborted transaction of two records and its marker.
        try await onThread {
            let loop = try ConsumerLoop(options: options, store: store, logger: silent) { false }
            defer { loop.consumer.close() }
            loop.intake.assign(0, stored: nil)
            loop.intake.begin(0, at: 0)
            loop.intake.skip(0, to: 3)
            try loop.commitAll()
        }
        try await cluster.publish((0..<4).map { screenView("home", "i\($0)", second: $0) })
        try await cluster.count(funnels, into: store)
        #expect(try store.eventCount() == 1)
        #expect(try store.withSnapshot { try $0.firstKnownDay(of: "f") } == nil)
    }
}

/// Computes another consumer's commit, without a broker.
enum Rival {
    static func commit(
        _ events: [Event],
        partition: Int32,
        funnels: [Funnel],
        after stored: PartitionProgress? = nil
    ) throws(StoreError) -> StoreCommit {
        do {
            var intake = RecordIntake(funnels: funnels, allowedLateness: .max)
            intake.assign(partition, stored: stored)
            for (offset, event) in events.enumerated() {
                try event.encoded().withUnsafeBytes {
                    _ = intake.take($0, timestamp: nil, partition: partition, offset: Int64(offset))
                }
            }
            var counter = FunnelCounter(funnels: funnels)
            var batch = counter.batch(of: intake.takeInterval())
            try batch.count { _ in [] }
            let totals = CountedTotals(batch)
            var advances = intake.takeAdvances()
            for index in advances.indices {
                let partition = advances[index].partition
                advances[index].quality += totals.quality[partition] ?? Quality()
            }
            return StoreCommit(partitions: advances, installs: batch.writes, summary: totals.summary())
        } catch {
            throw .unavailable("the rival failed: \(error)")
        }
    }
}

/// Gives the closure that the loop calls access to that loop.
///
/// Unchecked, because only the loop's thread uses it.
private final class LoopView: @unchecked Sendable {
    weak var loop: ConsumerLoop?
    private var hasChanged = false

    /// Whether the loop has had events to commit.
    var hasRead: Bool {
        hasChanged = hasChanged || (loop?.intake.pending.eventCount ?? 0) > 0
        return hasChanged
    }
}
