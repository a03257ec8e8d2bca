import FlowTestSupport
import Foundation
import FunnelConsumer
import FunnelStore
import Funnels
import RDKafka
import Testing

/// A topic of events and one of dead letters on a real broker. They are deleted with this object.
final class RealCluster: Sendable {
    let topic: String
    let deadLetterTopic: String
    let administrator: KafkaAdministrator
    let bootstrapServers: String

    /// - Parameters:
    ///   - partitions: the number of partitions of the topic of the events.
    ///   - properties: its properties, in addition to those below.
    ///   - deadLetterProperties: the properties of the dead-letter topic.
    init(
        partitions: Int = 1,
        _ properties: [String: String] = [:],
        deadLetterProperties: [String: String] = [:]
    ) throws {
        bootstrapServers = try #require(ApacheKafka.bootstrapServers)
        topic = "test-\(UUID())"
        deadLetterTopic = topic + ".dlq"
        administrator = try KafkaAdministrator(
            configuration: KafkaConfiguration(bootstrapServers: bootstrapServers),
            logger: silent
        )
        try createTopic(partitions: partitions, properties)
        try administrator.createTopic(
            deadLetterTopic,
            partitions: 1,
            deadLetterProperties.merging(Self.defaults) { mine, _ in mine }
        )
    }

    // The tests' events are months old.
    private static let defaults = ["message.timestamp.type": "LogAppendTime", "retention.ms": "-1"]

    deinit {
        for name in [topic, deadLetterTopic] { try? administrator.deleteTopic(name) }
    }

    func createTopic(partitions: Int, _ properties: [String: String] = [:]) throws {
        try administrator.createTopic(
            topic,
            partitions: partitions,
            properties.merging(Self.defaults) { mine, _ in mine }
        )
    }

    /// Deletes the topic of the events, and returns when the broker has a new one of that name.
    func recreateTopic(partitions: Int) async throws {
        try administrator.deleteTopic(topic)
        try await until("the name is free") {
            do {
                try createTopic(partitions: partitions)
                return true
            } catch let error as KafkaError where error.message.contains("already exists") {
                return false
            }
        }
        try await waitForNewTopic(partitions: partitions)
    }

    /// Returns when the broker has the new topic: it learns of topics after the controller.
    func waitForNewTopic(partitions: Int = 1) async throws {
        let consumer = try Consumer(configuration: configuration, groupID: nil, logger: silent)
        try await until("the broker has the new topic") {
            guard try consumer.partitionCount(of: topic, within: .seconds(5)) == partitions else { return false }
            return (0..<Int32(partitions)).allSatisfy { number in
                let partition = TopicPartition(topic: topic, partition: number)
                return (try? consumer.watermarks(of: partition, within: .seconds(5)).high) == 0
            }
        }
    }

    var configuration: KafkaConfiguration {
        ["bootstrap.servers": bootstrapServers, "topic.metadata.refresh.interval.ms": "500"]
    }

    func options(_ funnels: [Funnel], exitsAtEnd: Bool = true) -> FunnelConsumerOptions {
        FunnelConsumerOptions(
            kafka: configuration,
            topic: topic,
            deadLetterTopic: deadLetterTopic,
            groupID: topic,
            funnels: funnels,
            allowedLateness: .seconds(14 * 86_400),
            exitsAtEnd: exitsAtEnd
        )
    }

    /// Publishes records in order.
    ///
    /// - Returns: the records that the broker has accepted.
    @discardableResult
    func publish(
        _ messages: [ProducerMessage],
        _ settings: KafkaConfiguration = [:]
    ) async throws -> [Result<RecordMetadata, KafkaError>] {
        let producer = try Producer(configuration: settings.withDefaults(configuration), logger: silent)
        let results = await producer.send(messages, to: topic)
        await producer.close(within: patience)
        return results
    }

    /// Counts the topic, from the store's offsets to its end.
    func count(_ funnels: [Funnel], into store: any FunnelStore, _ lines: LogLines = LogLines()) async throws {
        try await FunnelConsumer(options: options(funnels), store: store, logger: lines.logger).run()
    }

    /// Runs the service while `body` runs, then stops it.
    func withService(
        _ funnels: [Funnel],
        into store: any FunnelStore,
        _ body: (LogLines) async throws -> Void
    ) async throws {
        let lines = LogLines()
        let consumer = FunnelConsumer(
            options: options(funnels, exitsAtEnd: false),
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
}
