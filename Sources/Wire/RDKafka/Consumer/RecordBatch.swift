import CRDKafka

/// The records of a poll, in librdkafka's memory, which is freed with the batch.
///
/// A batch keeps the fetched responses that its records lie in, and outside of `queued.max.messages.kbytes`: let go of
/// it soon. It also keeps its client from being destroyed.
///
/// Unchecked, because it never changes: its records may be read on any thread, and on several at once (only
/// ``ConsumerRecord/headers()`` parses on demand, so read the headers of one record on one thread).
public final class RecordBatch: @unchecked Sendable {
    private let messages: [UnsafeMutablePointer<rd_kafka_message_t>]
    private let handle: ClientHandle

    /// Takes over the messages.
    init(_ messages: [UnsafeMutablePointer<rd_kafka_message_t>], of handle: ClientHandle) {
        self.messages = messages
        self.handle = handle
    }

    deinit {
        messages.forEach(rd_kafka_message_destroy)
    }

    /// How many records there are.
    public var count: Int { messages.count }
    /// Whether there is no record.
    public var isEmpty: Bool { messages.isEmpty }

    /// Shows every record, in order.
    ///
    /// - Throws: What the closure throws, at once.
    public func forEach<Failure: Error>(
        _ body: (borrowing ConsumerRecord) throws(Failure) -> Void
    ) throws(Failure) {
        for message in messages {
            try body(ConsumerRecord(message))
        }
    }

    /// Shows the record at a place from 0 to ``count`` − 1.
    public func withRecord<Result, Failure: Error>(
        at index: Int,
        _ body: (borrowing ConsumerRecord) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(ConsumerRecord(messages[index]))
    }
}
