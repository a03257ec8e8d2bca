/// One partition of a topic.
public struct TopicPartition: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The topic's name.
    public let topic: String
    /// The partition's number, from 0.
    public let partition: Int32

    /// Creates the name of a partition.
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

/// Where to start reading a partition.
public enum StartOffset: Sendable, Hashable {
    /// At the oldest record that the partition still has.
    case earliest
    /// After the newest record.
    case latest
    /// At an absolute offset: 0 or more.
    case offset(Int64)
}

/// A partition and where to start reading it.
public struct PartitionStart: Sendable, Hashable {
    /// The partition.
    public let partition: TopicPartition
    /// Where to start.
    public let start: StartOffset

    /// Creates the start of a partition.
    public init(_ partition: TopicPartition, at start: StartOffset) {
        self.partition = partition
        self.start = start
    }
}

/// The first offset of a partition and the one after its last.
public struct Watermarks: Sendable, Hashable {
    /// The offset of the oldest record that is still there.
    public let low: Int64
    /// The offset that the next record gets.
    public let high: Int64

    /// Creates a pair of watermarks.
    public init(low: Int64, high: Int64) {
        self.low = low
        self.high = high
    }

    /// Whether there is nothing to read.
    public var isEmpty: Bool { low >= high }
}
