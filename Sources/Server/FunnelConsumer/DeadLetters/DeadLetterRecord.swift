import EventReader
public import FlowEvents
public import RDKafka

/// A record of the dead-letter topic, as it stands there.
public struct DeadLetterRecord: Sendable, Hashable {
    /// Its partition of the dead-letter topic.
    public let partition: Int32
    /// Its offset in that partition.
    public let offset: Int64
    /// The key, as it came.
    public let key: [UInt8]?
    /// The value, as it came; `nil` also where the topic had refused it for its size.
    public let value: [UInt8]?
    /// The headers: those that it came with, then the `dlq.…` ones.
    public let headers: [KafkaHeader]

    init(_ record: borrowing ConsumerRecord) {
        partition = record.partition
        offset = record.offset
        key = record.key.map { Array($0) }
        value = record.value.map { Array($0) }
        headers = record.headers()
    }

    /// What a `dlq.…` header says; of several the last, which the consumer wrote.
    public func header(_ name: String) -> String? {
        headers.last { $0.name == "dlq.\(name)" }?.value.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The record to send back to the topic of the events: with the headers that it came with, and the key that its
    /// install has.
    ///
    /// - Parameter mended: the value to send; `nil` for the one that it has, which a newer version may find valid.
    /// - Throws: `EventViolation` where that is still no valid event.
    public func message(mended: [UInt8]?, now: Timestamp) throws(EventViolation) -> ProducerMessage {
        let value = mended ?? self.value ?? []
        let reading = value.withUnsafeBytes { bytes in
            EventReader(fields: []).read(bytes, recordTimestamp: now) { Array($0.installID) }
        }
        switch reading {
        case .deadLetter(let violation): throw violation
        case .valid(let install):
            return ProducerMessage(key: install, value: value, headers: headers.filter { !$0.name.hasPrefix("dlq.") })
        }
    }
}
