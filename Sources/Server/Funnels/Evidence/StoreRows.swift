public import FlowEvents

/// What is kept of one install, as a store has it.
public struct StoredInstall: Sendable, Hashable {
    /// The `install_id`, UTF-8.
    public var install: [UInt8]
    /// Counts the writes of this row; the first is 1.
    public var version: Int64
    /// The install's evidence and results, in the engine's own coding.
    public var state: [UInt8]

    /// Creates a row from its parts.
    public init(install: [UInt8], version: Int64, state: [UInt8]) {
        self.install = install
        self.version = version
        self.state = state
    }
}

/// A write of one install's row, valid only where the row still has the version that the write was worked out from.
public struct InstallWrite: Sendable, Hashable {
    /// The `install_id`, UTF-8.
    public var install: [UInt8]
    /// The version that the row must have; 0 where there must be no row. The write makes it one more.
    public var expectedVersion: Int64
    /// What the row is to hold.
    public var state: [UInt8]

    /// Creates a write from its parts.
    public init(install: [UInt8], expectedVersion: Int64, state: [UInt8]) {
        self.install = install
        self.expectedVersion = expectedVersion
        self.state = state
    }
}

/// Where a part of the summary belongs: one funnel, all its actors or those of one breakdown value, one entry day.
public struct SummaryKey: Sendable, Hashable {
    /// The funnel's place in the set of definitions, from 0.
    public var funnel: Int
    /// The breakdown value's text, UTF-8; `nil` for all actors together.
    public var value: [UInt8]?
    /// The day that the attempts belong to.
    public var day: Day

    /// Creates a key from its parts.
    public init(funnel: Int, value: [UInt8]?, day: Day) {
        self.funnel = funnel
        self.value = value
        self.day = day
    }
}

/// What is to be added to the summary at one place.
public struct SummaryDelta: Sendable, Hashable {
    /// The place.
    public var key: SummaryKey
    /// A ``SummarySegment``, encoded.
    public var segment: [UInt8]

    /// Creates a delta from its parts.
    public init(key: SummaryKey, segment: [UInt8]) {
        self.key = key
        self.segment = segment
    }
}

/// How far a store has taken in one partition.
public struct PartitionProgress: Sendable, Hashable {
    /// The Kafka partition.
    public var partition: Int32
    /// The offset of the next record to be read.
    public var nextOffset: Int64
    /// The greatest `time` of the valid events below ``nextOffset``; `nil` where there was none.
    public var watermark: Timestamp?
    /// What was taken in from this partition.
    public var quality: Quality

    /// Creates a partition's progress from its parts.
    public init(partition: Int32, nextOffset: Int64, watermark: Timestamp? = nil, quality: Quality = Quality()) {
        self.partition = partition
        self.nextOffset = nextOffset
        self.watermark = watermark
        self.quality = quality
    }
}
