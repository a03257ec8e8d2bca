import FlowEvents
import RDKafka

/// An invalid record to send to the dead-letter topic: key, value and headers unchanged, with the reason in more headers.
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

    /// The approximate memory of the record, in bytes.
    var byteCount: Int { (key?.count ?? 0) + (value?.count ?? 0) + 256 }

    /// The record with its value.
    var message: ProducerMessage { ProducerMessage(key: key, value: value, headers: headers) }

    /// The record without its value, but with the value's size in a header: for a topic that rejects the whole record as
    /// too large.
    var messageWithoutValue: ProducerMessage {
        ProducerMessage(
            key: key,
            value: nil,
            headers: headers + [KafkaHeader("dlq.size", String(value?.count ?? 0))]
        )
    }
}
