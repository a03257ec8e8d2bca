import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import RDKafka
import Testing

@testable import FunnelConsumer

/// What the consumer finds out about its topic at its start, and what it stores of it.
@Suite(.waits, .timeLimit(.minutes(10))) struct LastRecordCheckTests {
    private let cluster: Cluster
    private let store = TemporaryStore()
    private let funnels: [Funnel]

    init() throws {
        cluster = try Cluster(partitions: 2)
        funnels = try homeToPaywall()
    }

    @Test func `the last record of each partition is stored, with what else a report needs to know`() async throws {
        try await cluster.publish([screenView("home", "a", second: 0), screenView("home", "b", second: 1)])
        try await cluster.count(funnels, into: store)
        let progress = try store.progress()
        #expect(progress.map(\.lastRecord?.offset) == [1, nil])
        #expect(progress.map(\.isAtEnd) == [true, true])
        let stream = try store.withSnapshot { try $0.topicProgress() }
        #expect(stream.partitionCount == 2 && stream.greatestLateness == 14 * 86_400_000)
        // The same record has the same mark, whoever reads it.
        let mark = progress[0].lastRecord
        let other = TemporaryStore()
        try await cluster.count(funnels, into: other)
        #expect(try other.progress()[0].lastRecord == mark)
    }

    @Test(arguments: [true, false])
    func `a store whose last record is another one in the topic is not counted on`(isChecksum: Bool) async throws {
        try await cluster.publish([screenView("home", "a", second: 0)])
        try await cluster.count(funnels, into: store)
        try store.forgeMark { if isChecksum { $0.checksum += 1 } else { $0.timestamp += 1 } }
        try await cluster.publish([screenView("paywall", "a", second: 60)])
        for exitsAtEnd in [true, false] {
            let options = cluster.options(funnels, exitsAtEnd: exitsAtEnd)
            let error = try await #require(throws: StoreError.self) {
                try await FunnelConsumer(options: options, store: store, logger: silent).run()
            }
            #expect(error.code == .otherData)
            #expect(
                error.description.contains("partition 0") && error.description.contains("deleted and created again")
            )
        }
        #expect(try store.nextOffset() == 1)
    }

    @Test func `a service stores that it has read a partition to its end, and that it has records again`() async throws
    {
        let consumer = FunnelConsumer(
            options: cluster.options(funnels, exitsAtEnd: false),
            store: store,
            logger: silent
        )
        async let end: Void = consumer.run()
        try await cluster.publish([screenView("home", "a", second: 0)])
        try await until("it is read to its end") {
            let progress = try store.progress()
            return progress.count == 2 && progress.allSatisfy(\.isAtEnd) && progress[0].nextOffset == 1
        }
        try await cluster.publish([screenView("paywall", "a", second: 60)])
        try await until("it is at its end again") {
            let progress = try store.progress()
            return progress[0].isAtEnd && progress[0].nextOffset == 2
        }
        consumer.stop()
        try await end
    }

    @Test func `without the topic's configuration, the first record shows who sets the timestamps`() async throws {
        let lines = LogLines()
        try await cluster.count(funnels, into: store, logger: lines.logger)
        #expect(!lines.contains("CreateTime"))
        try await cluster.publish([screenView("home", "a", second: 0)])
        try await cluster.count(funnels, into: store, logger: lines.logger)
        #expect(lines.contains("message.timestamp.type=CreateTime"))
    }
}
