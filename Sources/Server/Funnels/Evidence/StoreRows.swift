public import FlowEvents

/// The row of one install in a store.
public struct StoredInstall: Sendable, Hashable {
    /// The `install_id`, UTF-8.
    public var install: [UInt8]
    /// The number of writes of this row: the first write creates version 1.
    public var version: Int64
    /// The install's evidence and results, encoded by the engine.
    public var state: [UInt8]

    /// Creates a row from its parts.
    public init(install: [UInt8], version: Int64, state: [UInt8]) {
        self.install = install
        self.version = version
        self.state = state
    }
}

/// A write of one install's row. It is valid only while the row has the version that the write is based on.
public struct InstallWrite: Sendable, Hashable {
    /// The `install_id`, UTF-8.
    public var install: [UInt8]
    /// The version that the row must have; 0 where there must be no row. The write increments the version.
    public var expectedVersion: Int64
    /// The new state.
    public var state: [UInt8]

    /// Creates a write from its parts.
    public init(install: [UInt8], expectedVersion: Int64, state: [UInt8]) {
        self.install = install
        self.expectedVersion = expectedVersion
        self.state = state
    }
}

/// The key of a part of the summary: a funnel, a breakdown value or all actors, and an entry day.
public struct SummaryKey: Sendable, Hashable {
    /// The index of the funnel in the definitions.
    public var funnel: Int
    /// The text of the breakdown value, UTF-8; `nil` for all actors.
    public var value: [UInt8]?
    /// The day of the attempts' first events.
    public var day: Day

    /// Creates a key from its parts.
    public init(funnel: Int, value: [UInt8]?, day: Day) {
        self.funnel = funnel
        self.value = value
        self.day = day
    }
}

/// An addition to the part of the summary with one key.
public struct SummaryDelta: Sendable, Hashable {
    /// The key.
    public var key: SummaryKey
    /// A ``SummarySegment``, encoded.
    public var segment: [UInt8]

    /// Creates a delta from its parts.
    public init(key: SummaryKey, segment: [UInt8]) {
        self.key = key
        self.segment = segment
    }
}

/// A store's progress in one partition.
public struct PartitionProgress: Sendable, Hashable {
    /// The Kafka partition.
    public var partition: Int32
    /// The offset of the next record to read.
    public var nextOffset: Int64
    /// The greatest `time` of the valid events below ``nextOffset``; `nil` where there was none.
    public var watermark: Timestamp?
    /// The quality counts of the partition.
    public var quality: Quality

    /// Creates a partition's progress from its parts.
    public init(partition: Int32, nextOffset: Int64, watermark: Timestamp? = nil, quality: Quality = Quality()) {
        self.partition = partition
        self.nextOffset = nextOffset
        self.watermark = watermark
        self.quality = quality
    }
}
