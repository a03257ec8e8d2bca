import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import Foundation
import FunnelConsumer
import FunnelStore
import FunnelStoreTestSupport
import FunnelStoreSQLite
import FunnelTestSupport
import Funnels
import RDKafka
import KafkaTestSupport
import Testing

/// Tests the whole service with a broker over TCP.
@Suite(.waits, .timeLimit(.minutes(10))) struct FunnelConsumerTests {
    private let cluster: Cluster
    private let store = TemporaryStore()
    private let funnels: [Funnel]

    init() throws {
        cluster = try Cluster(partitions: 3)
        funnels = try homeToPaywall()
    }

    private func oracle(_ events: [Event]) -> FunnelReport {
        FunnelOracle(funnels: funnels, records: events.map { FunnelOracle.Record($0) }).report()
    }

    /// Runs the service while `body` runs, then stops it.
    private func withService(
        into store: any FunnelStore,
        lines: LogLines = LogLines(),
        _ body: (LogLines) async throws -> Void
    ) async throws {
        let consumer = FunnelConsumer(
            options: cluster.options(funnels, exitsAtEnd: false),
            store: store,
            logger: lines.logger
        )
        async let end: Void = consumer.run()
        do {
            try await body(lines)
        } catch {
            consumer.stop()
            try? await end
            throw error
        }
        consumer.stop()
        try await end
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `random funnels over random events give what the semantics say, in memory and in SQLite`(
        seed: UInt64
    ) async throws {
        var random = RandomFunnels(seed: seed)
        let funnels = try random.funnels()
        var events = random.events(count: 400, installs: 20)
        events += events.prefix(60)
        events.shuffle(using: &random.generator)
        let records = events.map { FunnelOracle.Record($0, partition: random.generator.pick([0, 1, 2])) }
        let lateness: Int64 = 86_400_000
        let expected = FunnelOracle(funnels: funnels, records: records, allowedLateness: lateness).report()
        let directory = FileManager.default.temporaryDirectory.appending(path: "consumer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "funnels.sqlite").path
        let sqlite = try SQLiteFunnelStore(path: path)
        var options = cluster.options(funnels)
        options.allowedLateness = .milliseconds(lateness)
        // Two runs, the second over stores that have the first half.
        for half in [records.prefix(200), records.dropFirst(200)] {
            try await cluster.publish(half.map { try message($0.event, partition: $0.partition) })
            for store in [store, sqlite] as [any FunnelStore] {
                try await FunnelConsumer(options: options, store: store, logger: silent).run()
            }
        }
        #expect(try store.report() == expected)
        #expect(try SQLiteFunnelReader(path: path).report() == expected)
        try sqlite.close()
    }

    @Test func `reading a topic again changes nothing`() async throws {
        let events = [screenView("home", "a", second: 0), screenView("paywall", "a", second: 1)]
        try await cluster.publish(events)
        for _ in 0..<2 {
            try await cluster.count(funnels, into: store)
            #expect(try store.report() == oracle(events))
        }
    }

    @Test func `a service counts what comes while it runs`() async throws {
        let events = [screenView("home", "a", second: 0), screenView("paywall", "a", second: 1)]
        try await withService(into: store) { lines in
            try await until("partitions are assigned") { lines.contains("assigned") }
            try await cluster.publish(events)
            try await until("the events are counted") { try store.eventCount() == 2 }
        }
        #expect(try store.report() == oracle(events))
    }

    @Test func `a broker that goes away and comes back costs nothing`() async throws {
        let before = (0..<10).map { screenView("home", "i\($0)", second: Int64($0)) }
        let after = (0..<10).map { screenView("paywall", "i\($0)", second: 60 + Int64($0)) }
        try await withService(into: store) { lines in
            try await cluster.publish(before)
            try await until("the first events are counted") { try store.eventCount() == 10 }
            try cluster.broker.cutOff()
            try await until("it notices") { lines.contains("trying again") }
            try cluster.broker.bringUp()
            try await cluster.publish(after)
            try await until("the others are counted") { try store.eventCount() == 20 }
        }
        #expect(try store.report() == oracle(before + after))
    }

    @Test func `a dead letter waits for a broker that is away`() async throws {
        try await cluster.publish([message("no event")])
        cluster.broker.fail(.produce, with: Array(repeating: .transport, count: 3))
        try await cluster.count(funnels, into: store)
        #expect(try store.nextOffset() == 1)
        #expect(try await cluster.deadLetters().count == 1)
    }

    @Test func `a topic that is created later is read from its beginning`() async throws {
        cluster.broker.setError(.unknownTopicOrPartition, ofTopic: Cluster.topic)
        try await withService(into: store) { lines in
            try await until("it waits for the topic") { lines.contains("the topic is not there yet") }
            cluster.broker.setError(nil, ofTopic: Cluster.topic)
            try await cluster.publish([screenView("home", "a", second: 0)])
            try await until("the event is counted") { try store.eventCount() == 1 }
        }
    }

    @Test func `a topic that does not exist has nothing to read`() async throws {
        cluster.broker.setError(.unknownTopicOrPartition, ofTopic: Cluster.topic)
        let lines = LogLines()
        try await cluster.count(funnels, into: store, logger: lines.logger)
        #expect(lines.contains("the topic does not exist"))
        #expect(try store.progress().isEmpty)
    }

    @Test func `an empty topic has nothing to read`() async throws {
        try await cluster.count(funnels, into: store)
        // The store has their offsets now, so records that are deleted later count as unread.
        #expect(
            try store.progress() == [0, 1, 2].map { PartitionProgress(partition: $0, nextOffset: 0, isAtEnd: true) }
        )
        #expect(try store.report() == oracle([]))
    }

    @Test func `records that were deleted before they were read are passed over, and that is said`() async throws {
        let filler = message(String(repeating: "x", count: 700_000))
        // The broker keeps 5 MiB of a partition.
        try await cluster.publish(Array(repeating: filler, count: 12), ["compression.codec": "none"])
        try await cluster.publish([screenView("home", "a", second: 0)])
        _ = try store.open(try await identity())
        let stale = PartitionAdvance(
            partition: 0,
            expectedOffset: nil,
            nextOffset: 1,
            watermark: nil,
            quality: Quality(deadLetters: 1)
        )
        _ = try store.commit(StoreCommit(partitions: [stale], installs: [], summary: []))
        let lines = LogLines()
        try await cluster.count(funnels, into: store, logger: lines.logger)
        #expect(lines.contains("records were deleted before they were read"))
        #expect(try store.nextOffset() == 13)
        let quality = try store.report().quality
        #expect(quality.events == 1 && (2..<12).contains(quality.deadLetters))
        #expect(quality.unread == 13 - quality.events - quality.deadLetters)
    }

    @Test(arguments: [true, false])
    func `a store that is ahead of the topic stops the consumer`(exitsAtEnd: Bool) async throws {
        try await cluster.publish([screenView("home", "a", second: 0)])
        try await advance(partition: 0, to: 65)
        let options = cluster.options(funnels, exitsAtEnd: exitsAtEnd)
        let error = try await #require(throws: StoreError.self) {
            try await FunnelConsumer(options: options, store: store, logger: silent).run()
        }
        #expect(error.description.contains("up to offset 65, but the partition ends at 1"))
        #expect(error.description.contains("another store"))
        #expect(try store.nextOffset() == 65)
    }

    @Test func `a store that has read partitions that the topic does not have stops the consumer`() async throws {
        try await advance(partition: 3, to: 1)
        let error = try await #require(throws: StoreError.self) { try await cluster.count(funnels, into: store) }
        #expect(error.description.contains("the topic has only 3 partitions"))
    }

    @Test func `brokers that are not there are told with their address`() async throws {
        var options = cluster.options(funnels)
        options.kafka["bootstrap.servers"] = "127.0.0.1:9"
        options.startTimeout = .milliseconds(500)
        let error = try await #require(throws: FunnelConsumerError.self) {
            try await FunnelConsumer(options: options, store: store, logger: silent).run()
        }
        #expect(error.code == .brokersUnreachable && error.description.contains("127.0.0.1:9"))
    }

    private func advance(partition: Int32, to offset: Int64) async throws {
        _ = try store.open(try await identity())
        let advance = PartitionAdvance(
            partition: partition,
            expectedOffset: nil,
            nextOffset: offset,
            watermark: nil,
            quality: Quality(deadLetters: offset)
        )
        _ = try store.commit(StoreCommit(partitions: [advance], installs: [], summary: []))
    }

    private func identity() async throws -> StoreIdentity {
        let configuration = cluster.configuration
        let clusterID = try await onThread {
            let consumer = try Consumer(configuration: configuration, groupID: nil, logger: silent)
            defer { consumer.close() }
            return try consumer.clusterID(within: patience)
        }
        return StoreIdentity(clusterID: clusterID, topic: Cluster.topic, funnels: funnels)
    }
}
