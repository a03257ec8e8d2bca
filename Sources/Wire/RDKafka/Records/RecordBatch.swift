import CRDKafka

/// The records of a poll, in librdkafka's memory. The batch frees the memory when it is deinitialized.
///
/// Release a batch soon: it keeps the fetched responses of its records in memory, beyond `queued.max.messages.kbytes`.
/// It also keeps its client alive.
///
/// Unchecked, because it never changes. Several threads may read its records at the same time. Only
/// ``ConsumerRecord/headers()`` parses on demand: call it for one record on one thread at a time.
public final class RecordBatch: @unchecked Sendable {
    private let messages: [UnsafeMutablePointer<rd_kafka_message_t>]
    private let handle: ClientHandle

    /// Takes ownership of the messages.
    init(_ messages: [UnsafeMutablePointer<rd_kafka_message_t>], of handle: ClientHandle) {
        self.messages = messages
        self.handle = handle
    }

    deinit {
        messages.forEach(rd_kafka_message_destroy)
    }

    /// The number of records.
    public var count: Int { messages.count }
    /// Whether there are no records.
    public var isEmpty: Bool { messages.isEmpty }

    /// Calls `body` with every record, in order.
    ///
    /// - Throws: the first error of `body`.
    public func forEach<Failure: Error>(
        _ body: (borrowing ConsumerRecord) throws(Failure) -> Void
    ) throws(Failure) {
        for message in messages {
            try body(ConsumerRecord(message))
        }
    }

    /// Calls `body` with the record at an index from 0 to ``count`` − 1.
    public func withRecord<Result, Failure: Error>(
        at index: Int,
        _ body: (borrowing ConsumerRecord) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(ConsumerRecord(messages[index]))
    }
}
