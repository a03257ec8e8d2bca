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

/// Topics that are deleted, created again, cut and widened, on a real broker.
@Suite(.waits, .needsApacheKafka, .timeLimit(.minutes(10))) struct TopicLifeTests {
    private let store = TemporaryStore()
    private let funnels: [Funnel]

    init() throws { funnels = try homeToPaywall() }

    private func views(_ screen: String, _ count: Int, partition: Int32 = 0) throws -> [ProducerMessage] {
        try (0..<count).map { try message(screenView(screen, "i\($0)", second: Int64($0)), partition: partition) }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `random funnels over random events give what the semantics say`(seed: UInt64) async throws {
        var random = RandomFunnels(seed: seed)
        let funnels = try random.funnels()
        var events = random.events(count: 400, installs: 20)
        events += events.prefix(60)
        events.shuffle(using: &random.generator)
        let records = events.map { FunnelOracle.Record($0, partition: random.generator.pick([0, 1, 2])) }
        let lateness: Int64 = 86_400_000
        // The events' own times decide which of them are late.
        let cluster = try RealCluster(partitions: 3, ["message.timestamp.type": "CreateTime"])
        var options = cluster.options(funnels)
        options.allowedLateness = .milliseconds(lateness)
        for half in [records.prefix(200), records.dropFirst(200)] {
            for result in try await cluster.publish(half.map { try message($0.event, partition: $0.partition) }) {
                _ = try result.get()
            }
            try await FunnelConsumer(options: options, store: store, logger: silent).run()
        }
        #expect(
            try store.report()
                == FunnelOracle(funnels: funnels, records: records, allowedLateness: lateness).report()
        )
        #expect(try store.progress().allSatisfy(\.isAtEnd))
    }

    @Test func `a topic that was created again with as many records is another topic`() async throws {
        let cluster = try RealCluster()
        try await cluster.publish(views("home", 50))
        try await cluster.count(funnels, into: store)
        // Reading on is no change.
        try await cluster.count(funnels, into: store)
        try await cluster.recreateTopic(partitions: 1)
        try await cluster.publish(views("home", 100))
        let before = try store.progress()
        let error = try await #require(throws: StoreError.self) { try await cluster.count(funnels, into: store) }
        #expect(error.code == .otherData)
        #expect(error.description.contains("deleted and created again") && !error.description.contains("remove"))
        let verification = try await #require(throws: StoreError.self) { _ = try await verify(cluster) }
        #expect(verification == error)
        #expect(try store.progress() == before)
    }

    @Test func `a consumer ends where its topic is created again`() async throws {
        let cluster = try RealCluster()
        try await cluster.publish(views("home", 50))
        let consumer = FunnelConsumer(
            options: cluster.options(funnels, exitsAtEnd: false),
            store: store,
            logger: silent
        )
        let end = Task { try await consumer.run() }
        try await until("the events are counted") { try store.eventCount() == 50 }
        try await cluster.recreateTopic(partitions: 1)
        await #expect(throws: StoreError.self) { try await end.value }
        #expect(try store.eventCount() == 50)
    }

    @Test func `a consumer whose topic was deleted ends at once and without an error`() async throws {
        let cluster = try RealCluster(partitions: 3)
        try await cluster.publish(views("home", 10))
        let start = try await stopAfterDeletion(of: cluster)
        #expect(start.duration(to: .now) < .seconds(15))
        #expect(try store.eventCount() == 10)
    }

    private func stopAfterDeletion(of cluster: RealCluster) async throws -> ContinuousClock.Instant {
        var start = ContinuousClock.now
        try await cluster.withService(funnels, into: store) { lines in
            try await until("the events are counted") { try store.eventCount() == 10 }
            try cluster.administrator.deleteTopic(cluster.topic)
            try await until("the consumer notices it") { lines.contains("the topic is gone") }
            start = .now
        }
        return start
    }

    @Test func `partitions that are added while a consumer runs are read and known`() async throws {
        let cluster = try RealCluster(partitions: 2)
        try await cluster.publish(views("home", 10))
        try await cluster.withService(funnels, into: store) { lines in
            try await until("the events are counted") { try store.eventCount() == 10 }
            try cluster.administrator.addPartitions(to: cluster.topic, upTo: 5)
            try await until("the consumer notices it") { lines.contains("another number of partitions") }
            try await cluster.publish(views("paywall", 10, partition: 4))
            try await until("the others are counted") { try store.eventCount() == 20 }
        }
        #expect(try store.withSnapshot { try $0.topicProgress().partitionCount } == 5)
        #expect(try store.report().funnels[0].steps.map(\.count) == [10, 10])
    }

    @Test func `late events of a partition that was added are late in the topic too`() async throws {
        let cluster = try RealCluster()
        let day: Int64 = 86_400
        let days = (0..<60).map { screenView("home", "i\($0 % 7)", second: Int64($0) * day) }
        for start in stride(from: 0, to: 60, by: 10) {
            try await cluster.publish(days[start..<(start + 10)].map { try message($0) })
            try await cluster.count(funnels, into: store)
        }
        try cluster.administrator.addPartitions(to: cluster.topic, upTo: 2)
        let late = [screenView("paywall", "i1", second: day + 60), screenView("home", "i2", second: 3 * day)]
        let added = late + [screenView("home", "new", second: 4 * day), screenView("home", "i2", second: 59 * day)]
        // The brokers know the new partition some time after the answer.
        try await until("the first event is accepted") {
            if case .success = try await cluster.publish([message(added[0], partition: 1)])[0] { true } else { false }
        }
        for result in try await cluster.publish(added.dropFirst().map { try message($0, partition: 1) }) {
            _ = try result.get()
        }
        try await cluster.count(funnels, into: store)
        #expect(try store.report().quality == Quality(events: 64, late: 3))
        let verification = try await verify(cluster)
        #expect(verification.isEqual && verification.resultCount == 61)
    }

    private func verify(_ cluster: RealCluster) async throws -> Verification {
        let (options, store) = (cluster.options(funnels), store)
        return try await onThread {
            try FunnelVerifier(
                kafka: options.kafka,
                topic: options.topic,
                allowedLateness: options.allowedLateness,
                logger: silent
            ).verify(store)
        }
    }

    @Test func `records that were deleted before they were read are counted as unread`() async throws {
        let cluster = try RealCluster()
        try await cluster.publish(views("home", 10))
        try await cluster.count(funnels, into: store)
        try await cluster.publish(views("paywall", 10))
        let partition = TopicPartition(topic: cluster.topic, partition: 0)
        try cluster.administrator.deleteRecords(of: partition, before: 15)
        try await cluster.count(funnels, into: store)
        #expect(try store.report().quality == Quality(events: 15, unread: 5))
    }

    @Test func `after such a loss, the first event of somebody that is known may not be the first`() async throws {
        let cluster = try RealCluster()
        let home = Step(name: "home", event: "screen_view", where: ["screen": "home"])
        let funnels = [try Funnel(name: "f", entry: .first, window: .seconds(60), steps: [home])]
        let (lost, read) = (screenView("home", "b", second: 3 * 86_400), screenView("home", "b", second: 7 * 86_400))
        try await cluster.publish(views("home", 10))
        try await cluster.count(funnels, into: store)
        #expect(try store.withSnapshot { try $0.firstKnownDay(of: "f") } == nil)
        try await cluster.publish([message(lost), message(read)])
        try cluster.administrator.deleteRecords(of: TopicPartition(topic: cluster.topic, partition: 0), before: 11)
        try await cluster.count(funnels, into: store)
        #expect(try store.withSnapshot { try $0.firstKnownDay(of: "f") } == Day(containing: read.time))
        #expect(try store.report().funnels[0].steps[0].count == 11)
    }

    @Test(arguments: [("CreateTime", true), ("LogAppendTime", false)])
    func `only a topic with the producers' timestamps is warned of`(type: String, isWarned: Bool) async throws {
        let cluster = try RealCluster(["message.timestamp.type": type])
        // A run to the end does not wait for a topic.
        try await cluster.waitForNewTopic()
        let lines = LogLines()
        try await cluster.count(funnels, into: store, lines)
        #expect(lines.contains("message.timestamp.type=CreateTime") == isWarned)
    }
}
