import FlowTestSupport
import Foundation
import FunnelFile
import FunnelStore
import FunnelStoreSQLite
import Funnels
import RDKafka
import KafkaTestSupport
import Testing

/// Tests topics and brokers that the consumer cannot use.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct BadTopicTests {
    private func home(_ install: String) -> ProducerMessage {
        let value = """
            {"specversion":"1.0","id":"1","source":"app://test","type":"screen_view","time":"2026-03-02T00:00:00Z",\
            "data":{"install_id":"\(install)","screen":"home"}}
            """
        return ProducerMessage(key: Array(install.utf8), value: Array(value.utf8))
    }

    @Test(arguments: [nil, 3]) func `a topic that is empty or not there has nothing to read`(partitions: Int?)
        async throws
    {
        let pipeline = try Pipeline(partitions: partitions)
        let outcome = try await pipeline.count()
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(outcome.errors.contains("the topic does not exist") == (partitions == nil))
        let report = try await pipeline.jsonReport()
        #expect(report.counts("home-to-paywall") == [0, 0])
        #expect(report.quality == Report.Quality(events: 0, duplicates: 0, late: 0, dead_letters: 0))
    }

    @Test(arguments: [SIGTERM, SIGINT]) func `a signal ends the wait for Kafka's first answer`(signal: Int32)
        async throws
    {
        let pipeline = try Pipeline()
        try pipeline.broker.cutOff()
        let consumer = try pipeline.consumer("--metrics-port", "0", environment: ["LOG_LEVEL": "debug"])
        try await consumer.says("Connection refused")
        consumer.send(signal)
        let outcome = try await consumer.end()
        #expect(outcome.status == 0 && !outcome.isKilled, "\(outcome.errors)")
    }

    @Test func `without --exit-at-end it waits for a topic that does not exist yet`() async throws {
        let pipeline = try Pipeline()
        try pipeline.writeFastSettings()
        pipeline.broker.setError(.unknownTopicOrPartition, ofTopic: Pipeline.topic)
        let consumer = try pipeline.consumer()
        try await consumer.says("the topic is not there yet")
        pipeline.broker.setError(nil, ofTopic: Pipeline.topic)
        try await pipeline.publish([home("a")])
        try await consumer.says("assigned")
        try await until("the event is counted") {
            try pipeline.countedEvents() == 1
        }
        consumer.send(SIGTERM)
        let outcome = try await consumer.end()
        #expect(outcome.status == 0 && !outcome.isKilled && outcome.output.isEmpty)
        #expect(try await pipeline.jsonReport().counts("home-to-paywall") == [1, 0])
    }

    @Test func `a topic that was created again and ends before the stored offset`() async throws {
        let pipeline = try Pipeline()
        try await pipeline.publish([home("a")])
        // The store of a run before the topic was deleted.
        let store = try SQLiteFunnelStore(path: pipeline.directory.file("funnels.sqlite"))
        let clusterID = try await pipeline.clusterID()
        let funnels = try FunnelsFile.read(path: pipeline.directory.file("config/funnels.yaml"))
        _ = try store.open(StoreIdentity(clusterID: clusterID, topic: Pipeline.topic, funnels: funnels))
        let quality = Quality(deadLetters: 500)
        let advance = PartitionAdvance(
            partition: 0,
            expectedOffset: nil,
            nextOffset: 500,
            watermark: nil,
            quality: quality
        )
        _ = try store.commit(StoreCommit(partitions: [advance], installs: [], summary: []))
        try store.close()

        let outcome = try await pipeline.count()
        #expect(outcome.status == 65 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("up to offset 500, but the partition ends at 1"))
        #expect(outcome.errors.contains("--store"))
        #expect(try await pipeline.jsonReport().quality.dead_letters == 500)
    }

    @Test func `a store of another cluster`() async throws {
        let (one, other) = (try Pipeline(), try Pipeline())
        #expect(try await one.count().status == 0)
        let outcome = try await one.count("--bootstrap-servers", other.broker.bootstrapServers)
        #expect(outcome.status == 65 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("Kafka cluster") && outcome.errors.contains("--store"))
    }

    @Test func `a store of another topic`() async throws {
        let pipeline = try Pipeline()
        #expect(try await pipeline.count().status == 0)
        let outcome = try await pipeline.count("--topic", "other-events")
        #expect(outcome.status == 65 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("'app-events'") && outcome.errors.contains("'other-events'"))
    }

    @Test func `changed funnel definitions`() async throws {
        let pipeline = try Pipeline()
        #expect(try await pipeline.count().status == 0)
        let changed = try Fixture.text("funnels.yaml").replacingOccurrences(of: "window: 1h", with: "window: 2h")
        try pipeline.directory.write(changed, to: "config/funnels.yaml")
        let outcome = try await pipeline.count()
        #expect(outcome.status == 65 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("changed: paywall-to-purchase") && outcome.errors.contains("--store"))
    }

    @Test func `a changed description changes nothing`() async throws {
        let pipeline = try Pipeline()
        #expect(try await pipeline.count().status == 0)
        let described = try Fixture.text("funnels.yaml").replacingOccurrences(
            of: "    count: sessions",
            with: "    description: Who buys\n    count: sessions"
        )
        try pipeline.directory.write(described, to: "config/funnels.yaml")
        #expect(try await pipeline.count().status == 0)
    }

    @Test func `a broker that is down at the start is told with its address within twenty seconds`() async throws {
        let pipeline = try Pipeline()
        try pipeline.broker.cutOff()
        let consumer = try pipeline.consumer()
        let outcome = try await consumer.end(within: patience)
        #expect(outcome.status == 69 && outcome.output.isEmpty)
        #expect(outcome.errors.contains(pipeline.broker.bootstrapServers))
        #expect(outcome.errors.contains("--bootstrap-servers"))
    }

    @Test func `a broker that goes away for ten seconds costs nothing`() async throws {
        let pipeline = try Pipeline()
        try pipeline.writeFastSettings()
        try await pipeline.publish((0..<20).map { home("before-\($0)") })
        let consumer = try pipeline.consumer()
        try await consumer.says("assigned")
        try await pipeline.publish((0..<20).map { home("between-\($0)") })
        try pipeline.broker.cutOff()
        let away = ContinuousClock.now + .seconds(10)
        try await until("ten seconds have passed") { ContinuousClock.now >= away }
        try await consumer.says("trying again")
        #expect(consumer.isRunning, "\(consumer.errors)")
        try pipeline.broker.bringUp()
        try await pipeline.publish((0..<20).map { home("after-\($0)") })
        try await until("all are counted") {
            try pipeline.countedEvents() == 60
        }
        consumer.send(SIGTERM)
        #expect(try await consumer.end().status == 0)
        let report = try await pipeline.jsonReport()
        #expect(report.counts("home-to-paywall") == [60, 0] && report.quality.duplicates == 0)
    }
}
