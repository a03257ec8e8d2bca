import FlowTestSupport
import KafkaTestSupport
import RDKafka
import Testing

@Suite(.waits) struct EmbeddedBrokerTests {
    @Test func `a topic has the partitions that it was created with, and cannot be created twice`() throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 6)
        #expect(try broker.consumer().partitionCount(of: "t", within: patience) == 6)
        #expect(throws: KafkaError.self) { try broker.createTopic("t", partitions: 6) }
    }

    @Test func `each broker has its own address`() throws {
        let broker = try EmbeddedBroker.notInherited(brokers: 3, logger: silent)
        #expect(Set(broker.bootstrapServers.split(separator: ",")).count == 3)
    }

    @Test func `answers are delayed by the round trip`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer(["linger.ms": "0"])
        _ = try await producer.send(ProducerMessage(value: [1]), to: "t")
        try broker.setRoundTrip(.milliseconds(200))
        let start = ContinuousClock.now
        _ = try await producer.send(ProducerMessage(value: [1]), to: "t")
        #expect(ContinuousClock.now - start >= .milliseconds(190))
    }
}
