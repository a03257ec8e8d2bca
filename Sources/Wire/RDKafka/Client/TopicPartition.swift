/// A partition of a topic.
public struct TopicPartition: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The topic's name.
    public let topic: String
    /// The partition's number, from 0.
    public let partition: Int32

    /// Creates a partition's name.
    public init(topic: String, partition: Int32) {
        self.topic = topic
        self.partition = partition
    }

    /// `topic[partition]`.
    public var description: String { "\(topic)[\(partition)]" }

    /// By topic, then by number.
    public static func < (one: Self, other: Self) -> Bool {
        (one.topic, one.partition) < (other.topic, other.partition)
    }
}

/// The position to start reading a partition at.
public enum StartOffset: Sendable, Hashable {
    /// The oldest record that the partition still has.
    case earliest
    /// The position after the newest record.
    case latest
    /// An offset, at least 0.
    case offset(Int64)
}

/// A partition and the position to start reading it at.
public struct PartitionStart: Sendable, Hashable {
    /// The partition.
    public let partition: TopicPartition
    /// The position to start at.
    public let start: StartOffset

    /// Creates the start of a partition.
    public init(_ partition: TopicPartition, at start: StartOffset) {
        self.partition = partition
        self.start = start
    }
}

/// The first offset of a partition and the one after its last.
public struct Watermarks: Sendable, Hashable {
    /// The offset of the oldest record that the partition still has.
    public let low: Int64
    /// The offset of the next record to be written.
    public let high: Int64

    /// Creates a pair of watermarks.
    public init(low: Int64, high: Int64) {
        self.low = low
        self.high = high
    }

    /// Whether the partition has no records.
    public var isEmpty: Bool { low >= high }
}
