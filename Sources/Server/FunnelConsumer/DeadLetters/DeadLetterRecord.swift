internal import EventReader
public import FlowEvents
public import RDKafka

/// A record of the dead-letter topic: an invalid record and the reason.
///
/// ```swift
/// letter.header("reason")   // "missing_field"
/// ```
public struct DeadLetterRecord: Sendable, Hashable {
    /// The record's partition in the dead-letter topic.
    public let partition: Int32
    /// The record's offset in that partition.
    public let offset: Int64
    /// The key of the invalid record.
    public let key: [UInt8]?
    /// The value of the invalid record; also `nil` if it was too large for the dead-letter topic.
    public let value: [UInt8]?
    /// The headers of the invalid record, followed by the `dlq.…` headers.
    public let headers: [KafkaHeader]

    init(_ record: borrowing ConsumerRecord) {
        partition = record.partition
        offset = record.offset
        key = record.key.map { Array($0) }
        value = record.value.map { Array($0) }
        headers = record.headers()
    }

    /// Returns the text of the header `dlq.` and `name`. If there are several, the last is the consumer's.
    public func header(_ name: String) -> String? {
        headers.last { $0.name == "dlq.\(name)" }?.value.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the record to send back to the topic of the events, with the original headers and the install as the key.
    ///
    /// The headers of a corrected value say what it is now: an event in structured mode. The original may have had another
    /// content type, and the attributes of binary mode.
    ///
    /// - Parameters:
    ///   - mended: the corrected value; `nil` for the original value, which a newer version may accept.
    ///   - now: the current time, which an event must not be far ahead of.
    /// - Throws: `EventViolation` if the value is not a valid event.
    public func message(mended: [UInt8]?, now: Timestamp) throws(EventViolation) -> ProducerMessage {
        let value = mended ?? self.value ?? []
        let reading = value.withUnsafeBytes { bytes in
            EventReader(fields: []).read(bytes, recordTimestamp: now) { Array($0.installID) }
        }
        switch reading {
        case .deadLetter(let violation): throw violation
        case .valid(let install):
            var headers = headers.filter { !$0.name.hasPrefix("dlq.") }
            if mended != nil {
                headers.removeAll { $0.name.lowercased() == "content-type" || $0.name.lowercased().hasPrefix("ce_") }
                headers.append(KafkaHeader("content-type", Event.contentType))
            }
            return ProducerMessage(key: install, value: value, headers: headers)
        }
    }
}
