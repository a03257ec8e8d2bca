import EventTracking
import FlowEvents
import FlowTestSupport
import Foundation
import KafkaTestSupport
import RDKafka
import KafkaSink
import Logging
import Testing

/// Logs nothing: tests take brokers down on purpose, and clients log the lost connections.
let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A record of the topic.
struct Record: Equatable {
    var partition: Int32
    var key: String
    var value: [UInt8]
    var headers: [KafkaHeader]
    var timestamp: RecordTimestamp
}

extension EmbeddedBroker {
    static let topic = "app-events"

    /// A quiet broker with the topic.
    static func withTopic(partitions: Int) throws -> EmbeddedBroker {
        let broker = try EmbeddedBroker.notInherited(logger: silent)
        try broker.createTopic(topic, partitions: partitions)
        return broker
    }

    /// Settings of a client of this broker that reconnects soon.
    func configuration(_ extra: KafkaConfiguration = [:]) -> KafkaConfiguration {
        extra.withDefaults([
            "bootstrap.servers": bootstrapServers, "reconnect.backoff.ms": "20", "reconnect.backoff.max.ms": "50",
            "retry.backoff.ms": "20", "topic.metadata.refresh.interval.ms": "200",
        ])
    }

    func sink(
        _ extra: KafkaConfiguration = [:],
        closingWithin: Duration = patience,
        onClose: @escaping @Sendable (UndeliveredRecords) -> Void = { _ in }
    ) throws -> EventSink {
        try EventSink.kafka(
            configuration(extra),
            topic: Self.topic,
            logger: silent,
            closingWithin: closingWithin,
            onClose: onClose
        )
    }

    /// The first `count` records of the topic, and the others of the same poll, in order within each partition.
    func records(_ count: Int, partitions: Int) async throws -> [Record] {
        let configuration = configuration()
        return try await onThread {
            let consumer = try Consumer(configuration: configuration, groupID: nil, logger: silent)
            let all = (0..<Int32(partitions)).map { TopicPartition(topic: Self.topic, partition: $0) }
            try consumer.assign(all.map { PartitionStart($0, at: .earliest) })
            var records: [Record] = []
            let deadline = ContinuousClock.now + patience
            while records.count < count {
                try #require(ContinuousClock.now < deadline, "\(records.count) of \(count) records came")
                consumer.poll(timeout: .milliseconds(50)).records.forEach { record in
                    records.append(
                        Record(
                            partition: record.partition,
                            key: record.key.map { String(decoding: $0, as: UTF8.self) } ?? "",
                            value: record.value.map(Array.init) ?? [],
                            headers: record.headers(),
                            timestamp: record.timestamp
                        )
                    )
                }
            }
            return records
        }
    }
}

/// Numbered events of one install, encoded and padded to a size.
func events(_ numbers: Range<Int>, of install: String = "install", padding: Int = 0) throws -> [EncodedEvent] {
    try numbers.map { number in
        let event = Event(
            id: "\(install)-\(number)",
            source: "app://test",
            type: "test",
            time: .now,
            installID: install,
            sequence: Int64(number),
            properties: padding > 0 ? ["padding": .string(String(repeating: "x", count: padding))] : [:]
        )
        return EncodedEvent(id: event.id, key: install, value: try event.encoded())
    }
}

/// A tracker that sends and retries soon.
func tracker(
    _ install: String,
    sink: EventSink,
    onReport: @escaping @Sendable (TrackerReport) -> Void = { _ in }
) -> Tracker {
    Tracker(
        source: "app://test",
        identity: .memory(Identity(installID: install)),
        sink: sink,
        configuration: TrackerConfiguration(
            batching: BatchingConfiguration(
                maximumBatchCount: 50,
                maximumAge: .milliseconds(10),
                backoff: Backoff(base: .milliseconds(20), maximum: .milliseconds(100))
            )
        ),
        onReport: onReport
    )
}

/// Keeps the events that pass through a sink.
final class Wiretap: Sendable {
    private let lock = NSLock()
    // Safe, because it is used only under the lock.
    nonisolated(unsafe) private var kept: [EncodedEvent] = []

    var events: [EncodedEvent] { lock.withLock { kept } }

    func on(_ sink: EventSink) -> EventSink {
        var tapped = sink
        tapped.submit = { batch in
            self.lock.withLock { self.kept += batch }
            return await sink.submit(batch)
        }
        return tapped
    }
}
