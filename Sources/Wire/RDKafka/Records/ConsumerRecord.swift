import CRDKafka

/// A record in librdkafka's memory. Nothing is copied: its buffers are valid only inside the closure that receives the
/// record.
///
/// It is not copyable, so that it cannot outlive its batch by accident.
public struct ConsumerRecord: ~Copyable {
    private let message: UnsafeMutablePointer<rd_kafka_message_t>

    init(_ message: UnsafeMutablePointer<rd_kafka_message_t>) {
        self.message = message
    }

    /// The partition's number.
    public var partition: Int32 { message.pointee.partition }
    /// The offset.
    public var offset: Int64 { message.pointee.offset }
    /// The topic's name. Each call creates a string; with a single topic, call it once for many records.
    public var topic: String { String(cString: rd_kafka_topic_name(message.pointee.rkt)) }

    /// The key, or `nil` if the record has none.
    public var key: UnsafeRawBufferPointer? {
        message.pointee.key.map { UnsafeRawBufferPointer(start: $0, count: message.pointee.key_len) }
    }

    /// The value, or `nil` for a tombstone.
    public var value: UnsafeRawBufferPointer? {
        message.pointee.payload.map { UnsafeRawBufferPointer(start: $0, count: message.pointee.len) }
    }

    /// The record's timestamp.
    public var timestamp: RecordTimestamp {
        var type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
        let milliseconds = rd_kafka_message_timestamp(message, &type)
        return switch type {
        case RD_KAFKA_TIMESTAMP_CREATE_TIME: .create(milliseconds)
        case RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME: .logAppend(milliseconds)
        default: .none
        }
    }

    /// Copies of the headers, in order. Each call parses them.
    public func headers() -> [KafkaHeader] {
        var list: OpaquePointer?
        guard rd_kafka_message_headers(message, &list) == RD_KAFKA_RESP_ERR_NO_ERROR, let list else { return [] }
        return (0..<rd_kafka_header_cnt(list)).compactMap { index in
            var name: UnsafePointer<CChar>?
            var value: UnsafeRawPointer?
            var count = 0
            guard rd_kafka_header_get_all(list, index, &name, &value, &count) == RD_KAFKA_RESP_ERR_NO_ERROR,
                let name
            else { return nil }
            return KafkaHeader(
                String(cString: name),
                bytes: value.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) }
            )
        }
    }
}

/// The timestamp of a record in milliseconds since 1970, and who set it.
public enum RecordTimestamp: Sendable, Hashable {
    /// The record has no timestamp.
    case none
    /// Set by the producer.
    case create(Int64)
    /// Set by the broker when it appended the record.
    case logAppend(Int64)

    /// The milliseconds since 1970; `nil` if there is no timestamp.
    public var milliseconds: Int64? {
        switch self {
        case .none: nil
        case .create(let milliseconds), .logAppend(let milliseconds): milliseconds
        }
    }
}
