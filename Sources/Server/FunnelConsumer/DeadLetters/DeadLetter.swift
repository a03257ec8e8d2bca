import FlowEvents
import RDKafka

/// A record that no funnel can count, on its way to the dead-letter topic: as it came, with the reason beside it.
struct DeadLetter: Sendable {
    private let key: [UInt8]?
    private let value: [UInt8]?
    private let headers: [KafkaHeader]

    init(_ record: borrowing ConsumerRecord, _ violation: EventViolation) {
        key = record.key.map { Array($0) }
        value = record.value.map { Array($0) }
        headers =
            record.headers() + [
                KafkaHeader("dlq.reason", violation.reason.rawValue),
                KafkaHeader("dlq.detail", violation.detail),
                KafkaHeader("dlq.topic", record.topic),
                KafkaHeader("dlq.partition", String(record.partition)),
                KafkaHeader("dlq.offset", String(record.offset)),
            ]
    }

    /// The bytes that it takes, roughly.
    var byteCount: Int { (key?.count ?? 0) + (value?.count ?? 0) + 256 }

    /// The whole record.
    var message: ProducerMessage { ProducerMessage(key: key, value: value, headers: headers) }

    /// The record without its value, whose size is said instead: for a topic that refused the whole for its size.
    var messageWithoutValue: ProducerMessage {
        ProducerMessage(
            key: key,
            value: nil,
            headers: headers + [KafkaHeader("dlq.size", String(value?.count ?? 0))]
        )
    }
}
