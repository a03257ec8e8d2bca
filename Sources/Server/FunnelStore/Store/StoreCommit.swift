public import FlowEvents
public import Funnels

/// The changes of one transaction.
public struct StoreCommit: Sendable {
    /// The new offsets of the partitions.
    public var partitions: [PartitionAdvance]
    /// The changed installs, each once.
    public var installs: [InstallWrite]
    /// What the changed installs add to the summary, each key once.
    public var summary: [SummaryDelta]
    /// What the consumer knows of the topic; `nil` to leave what the store has as it is.
    public var topic: TopicSettings?
    /// For funnels that count first entries only, by their names, the day of the first event that was read of a
    /// partition that had lost earlier ones. The store keeps the earliest.
    public var firstKnown: [String: Day] = [:]

    /// Whether an install is erased: then the store merges the segments of the summary's keys, so that no value of a
    /// breakdown stays that only that install had.
    package var erases: Bool { installs.contains(where: \.erases) }

    /// Creates a commit.
    package init(
        partitions: [PartitionAdvance],
        installs: [InstallWrite],
        summary: [SummaryDelta],
        topic: TopicSettings? = nil
    ) {
        self.partitions = partitions
        self.installs = installs
        self.summary = summary
        self.topic = topic
    }
}

/// What a consumer knows of its topic. A store keeps the greatest value of each that any consumer has stored.
public struct TopicSettings: Sendable, Hashable {
    /// The number of partitions of the topic.
    public var partitionCount: Int32
    /// The allowed lateness, in milliseconds.
    public var allowedLateness: Int64

    /// Creates settings.
    public init(partitionCount: Int32, allowedLateness: Int64) {
        self.partitionCount = partitionCount
        self.allowedLateness = allowedLateness
    }
}

/// The move of one partition to its next offset. It is valid only if the store still has the expected offset, and a new
/// partition only if its floor is at least the store's horizon.
public struct PartitionAdvance: Sendable, Hashable {
    /// The Kafka partition.
    public var partition: Int32
    /// The next offset that the store must have; `nil` if the store must not know the partition.
    public var expectedOffset: Int64?
    /// The next offset after the commit, at least ``expectedOffset``.
    public var nextOffset: Int64
    /// The floor by which the events were judged, see `PartitionProgress.floor`. A store keeps that of a new partition,
    /// which must be at least the store's horizon.
    public var floor: Timestamp?
    /// The watermark after the records below ``nextOffset``; `nil` if there was no valid event yet.
    public var watermark: Timestamp?
    /// Whether the partition had no further records when it was read.
    public var isAtEnd: Bool
    /// The last record that was read below ``nextOffset``; `nil` to leave the store's as it is.
    public var lastRecord: RecordMark?
    /// What the records between the two offsets add to the partition's quality counts.
    public var quality: Quality
    /// When a consumer last saw that it had read all of the partition that there was, or read records of it; `nil` to leave
    /// the store's as it is.
    public var readAt: Timestamp?
    /// The time of the first valid event, with the first commit of a partition that had lost earlier records.
    public var firstTime: Timestamp?

    /// Creates an advance.
    package init(
        partition: Int32,
        expectedOffset: Int64?,
        nextOffset: Int64,
        floor: Timestamp? = nil,
        watermark: Timestamp?,
        isAtEnd: Bool = false,
        lastRecord: RecordMark? = nil,
        quality: Quality
    ) {
        self.partition = partition
        self.expectedOffset = expectedOffset
        self.nextOffset = nextOffset
        self.floor = floor
        self.watermark = watermark
        self.isAtEnd = isAtEnd
        self.lastRecord = lastRecord
        self.quality = quality
    }
}

/// The outcome of a commit.
public enum CommitOutcome: Sendable, Hashable {
    /// The store has applied the commit.
    case committed
    /// Nothing was changed, because another consumer has moved these partitions. Discard what was counted from them.
    case fenced([PartitionProgress])
    /// Nothing was changed, because another consumer has written these installs. The value has their current rows with
    /// the indices of their histories: merge the same events into them and commit again.
    case conflicts([StoredInstall])
    /// Nothing was changed, because a rebuild has changed the store's funnels. Discard what was counted with the old
    /// funnels. The store expects the next commit to be counted with the new ones.
    case rebuilt(RebuiltFunnels)
}

/// The funnels of a store after a rebuild has changed them.
public struct RebuiltFunnels: Sendable, Hashable {
    /// The store's new identity, with the new funnels.
    public let identity: StoreIdentity
    /// The progress of each partition when the funnels were read.
    public let progress: [PartitionProgress]

    /// Creates the value.
    package init(identity: StoreIdentity, progress: [PartitionProgress]) {
        self.identity = identity
        self.progress = progress
    }
}

extension StoredInstall {
    /// Returns what a conflict contains for an install that has no row although the write expected one: version 0 and
    /// an empty state. A write with an `InstallWrite.expectedVersion` of 0 is then right.
    package static func none(_ install: [UInt8]) -> StoredInstall {
        StoredInstall(install: install, version: 0, state: [])
    }
}
