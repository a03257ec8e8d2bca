import FlowEvents
import FlowEventTestSupport
import FlowTestSupport
import FunnelConsumer
import FunnelServiceSupport
import FunnelStore
import FunnelStoreSQLite
import FunnelTestSupport
import Funnels
import KafkaTestSupport
import Testing

/// Stores that belong to one consumer each, in one group.
@Suite(.waits, .timeLimit(.minutes(10))) struct TwoStoresTests {
    private let cluster: Cluster
    private let directory: TemporaryDirectory

    init() throws {
        cluster = try Cluster(partitions: 3)
        directory = try TemporaryDirectory()
    }

    @Test func `two consumers with stores of their own and one group both count the whole topic`() async throws {
        let funnels = [try visitors()]
        let stores = try ["a", "b"].map { try SQLiteFunnelStore(path: directory.file($0)) }
        var readers: [SQLiteFunnelReader] = []
        let lines = stores.map { _ in LogLines() }
        let consumers = zip(stores, lines).map { store, lines in
            FunnelConsumer(
                options: cluster.options(funnels, exitsAtEnd: false),
                store: store,
                logger: lines.logger
            )
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for consumer in consumers { group.addTask { try await consumer.run() } }
            defer { for consumer in consumers { consumer.stop() } }
            for lines in lines { try await until("partitions are assigned") { lines.contains("assigned") } }
            readers = try ["a", "b"].map { try SQLiteFunnelReader(path: directory.file($0)) }
            for partition in 0..<3 as Range<Int32> {
                let events = (0..<10).map { screenView("home", "install \(partition) \($0)", second: 0) }
                try await cluster.publish(events, partition: partition)
            }
            for reader in readers {
                try await until("all events are counted") {
                    try reader.withSnapshot { try $0.quality().events } == 30
                }
            }
        }
        for (reader, store) in zip(readers, stores) {
            let report = try reader.report()
            #expect(report.funnels.first?.steps.map(\.count) == [30])
            #expect(try reader.withSnapshot { try $0.unreadPartitions(now: .current) } == [])
            try store.close()
        }
    }

    @Test func `a run to the end says that it has read the partitions without new records, too`() async throws {
        let funnels = [try visitors()]
        let store = try SQLiteFunnelStore(path: directory.file("a"))
        try await cluster.publish([screenView("home", "a", second: 0)], partition: 1)
        try await cluster.count(funnels, into: store)
        let reader = try SQLiteFunnelReader(path: directory.file("a"))
        let first = try reader.withSnapshot { try $0.partitionReads() }
        #expect(Set(first.keys) == [0, 1, 2])
        try await until("the clock has moved on") { try .current > #require(first.values.max()) }
        try await cluster.count(funnels, into: store)
        let second = try reader.withSnapshot { try $0.partitionReads() }
        for (partition, time) in first { #expect(try #require(second[partition]) > time) }
        try store.close()
    }
}
