import FlowTestSupport
import Foundation
import KafkaTestSupport
import RDKafka
import Logging
import Testing

/// Logs nothing: tests take brokers down on purpose, and clients log the lost connections.
let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Settings that make clients reconnect soon.
let impatient: KafkaConfiguration = [
    "reconnect.backoff.ms": "20", "reconnect.backoff.max.ms": "50", "retry.backoff.ms": "20",
    "topic.metadata.refresh.interval.ms": "200", "fetch.error.backoff.ms": "20",
]

/// Settings of a member of a group.
///
/// A leader that receives the topics' metadata while it requests them itself joins again, and the mock cluster answers
/// that join only a second before the session's timeout. It answers the first join after three seconds, so the metadata
/// must not be refreshed after the same time.
let member: KafkaConfiguration = [
    "session.timeout.ms": "4000", "heartbeat.interval.ms": "100", "topic.metadata.refresh.interval.ms": "2000",
]

extension EmbeddedBroker {
    /// A quiet cluster with one topic.
    static func with(topic: String, partitions: Int, brokers: Int = 1) throws -> EmbeddedBroker {
        let broker = try EmbeddedBroker.notInherited(brokers: brokers, logger: silent)
        try broker.createTopic(topic, partitions: partitions)
        return broker
    }

    func configuration(_ extra: KafkaConfiguration = [:]) -> KafkaConfiguration {
        extra.withDefaults(impatient).withDefaults(KafkaConfiguration(bootstrapServers: bootstrapServers))
    }

    func producer(_ extra: KafkaConfiguration = [:]) throws -> Producer {
        try Producer(configuration: configuration(extra), logger: silent)
    }

    func consumer(group: String? = nil, _ extra: KafkaConfiguration = [:]) throws -> Consumer {
        let extra = group == nil ? extra : extra.withDefaults(member)
        return try Consumer(configuration: configuration(extra), groupID: group, logger: silent)
    }

    /// Publishes records to one partition, each with its number as its value.
    func publish(_ numbers: Range<Int>, to topic: String, partition: Int32 = 0) async throws {
        let producer = try producer()
        let results = await producer.send(
            numbers.map { ProducerMessage(value: Array("\($0)".utf8), partition: partition) },
            to: topic
        )
        for result in results {
            _ = try result.get()
        }
        await producer.close(within: patience)
    }
}

/// A copy of a record that a consumer returned.
struct Delivered: Equatable {
    var partition: Int32
    var offset: Int64
    var value: String
}

extension Consumer {
    /// Polls until the condition holds, and returns all records and events.
    ///
    /// - Parameter answer: the start position of a partition that the group assigns.
    func read(
        within limit: Duration = patience,
        maxRecords: Int = 10_000,
        answer: (TopicPartition) -> StartOffset = { _ in .earliest },
        until isDone: ([Delivered], [ConsumerEvent]) -> Bool
    ) throws -> (records: [Delivered], events: [ConsumerEvent]) {
        var records: [Delivered] = []
        var events: [ConsumerEvent] = []
        let deadline = ContinuousClock.now + limit
        while !isDone(records, events) {
            try #require(ContinuousClock.now < deadline, "the condition did not hold in time; events: \(events)")
            let poll = poll(maxRecords: maxRecords, timeout: .milliseconds(50))
            poll.records.forEach { record in
                records.append(
                    Delivered(
                        partition: record.partition,
                        offset: record.offset,
                        value: record.value.map { String(decoding: $0, as: UTF8.self) } ?? ""
                    )
                )
            }
            events += poll.events
            for case .assigned(let partitions) in poll.events where !partitions.isEmpty {
                try assign(partitions.map { PartitionStart($0, at: answer($0)) })
            }
        }
        return (records, events)
    }

    /// Assigns partition 0 of a topic.
    func assign(_ topic: String, at start: StartOffset) throws {
        try assign([PartitionStart(TopicPartition(topic: topic, partition: 0), at: start)])
    }
}
