/// Something other than a record that a poll came upon.
public enum ConsumerEvent: Sendable {
    /// The group gave this consumer these partitions; none is read until ``Consumer/assign(_:)`` answers with where to
    /// start. Every poll tells it again until then. Of an empty list there is nothing to answer.
    case assigned([TopicPartition])
    /// The group takes these partitions away. They are still this consumer's alone until the next poll: now is the
    /// time to store what was read of them.
    case revoked([TopicPartition])
    /// These partitions are gone already, and another consumer may have them (session or poll interval exceeded).
    case lost([TopicPartition])
    /// All records of the partition that there are now have been read; `offset` is the one the next record gets.
    case endOfPartition(TopicPartition, offset: Int64)
    /// The partition has no such offset: records were deleted or the topic was made anew. Reading of it has stopped, and
    /// nothing is skipped; ``Consumer/seek(_:)`` goes on elsewhere.
    case offsetOutOfRange(TopicPartition, offset: Int64, KafkaError)
    /// The topic or partition does not exist. The consumer keeps looking for it.
    case topicUnavailable(topic: String, KafkaError)
    /// An asynchronous commit failed.
    case commitFailed(KafkaError)
    /// Something that librdkafka keeps trying to overcome, such as a broker that is not there.
    case error(KafkaError)
    /// The consumer is of no more use.
    case fatal(KafkaError)
}

/// What one poll returned. All records come before all events.
public struct ConsumerPoll: Sendable {
    /// The records, in order within each partition.
    public let records: RecordBatch
    /// What happened after the records, in order.
    public let events: [ConsumerEvent]

    /// Whether the wait was over before anything came.
    public var isEmpty: Bool { records.isEmpty && events.isEmpty }
}
