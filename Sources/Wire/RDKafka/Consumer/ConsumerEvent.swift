/// An event of a consumer: anything that a poll returns besides records.
public enum ConsumerEvent: Sendable {
    /// The group assigned these partitions to this consumer. The consumer reads none of them until
    /// ``Consumer/assign(_:)`` answers with their start positions; until then every poll reports this event. An empty
    /// list needs no answer.
    case assigned([TopicPartition])
    /// The group revokes these partitions. They belong to this consumer until the next poll: store what was read of
    /// them now.
    case revoked([TopicPartition])
    /// These partitions are lost, and another consumer may have them already (the session or the poll interval was
    /// exceeded).
    case lost([TopicPartition])
    /// All current records of the partition were read. `offset` is the offset of the next record to be written.
    case endOfPartition(TopicPartition, offset: Int64)
    /// The partition does not have this offset: records were deleted, or the topic was created anew. The consumer stops
    /// reading the partition and skips nothing; ``Consumer/seek(_:)`` continues at another position.
    case offsetOutOfRange(TopicPartition, offset: Int64, KafkaError)
    /// The client cannot read a batch of records, because it cannot decompress it or does not know its format. A retry
    /// does not help: the consumer requests the batch again and again until ``Consumer/seek(_:)`` passes by it.
    /// `offset` is the batch's first offset; ``UnreadableBatch`` finds its end.
    case unreadable(TopicPartition, offset: Int64, KafkaError)
    /// The topic or partition does not exist. The consumer continues to look for it.
    case topicUnavailable(topic: String, KafkaError)
    /// An asynchronous commit failed.
    case commitFailed(KafkaError)
    /// An error that librdkafka tries to recover from, such as an unreachable broker.
    case error(KafkaError)
    /// The consumer is unusable.
    case fatal(KafkaError)
}

/// The result of a poll. All records come before all events.
public struct ConsumerPoll: Sendable {
    /// The records, in order within each partition.
    public let records: RecordBatch
    /// The events after the records, in order.
    public let events: [ConsumerEvent]
    /// Whether there are as many records as the poll asked for at most. Mostly more of them wait.
    public let isFull: Bool

    /// Whether there are neither records nor events.
    public var isEmpty: Bool { records.isEmpty && events.isEmpty }
}
