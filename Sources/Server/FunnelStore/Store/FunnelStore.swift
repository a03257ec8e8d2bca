public import FlowEvents
public import Funnels

/// Where a consumer keeps its facts: offsets, evidence, results and quality, changed together or not at all.
///
/// The calls block and may take as long as a disk or a network; call them from a thread of your own, never from the
/// cooperative pool. Every call is safe from any thread.
public protocol FunnelStore: Sendable {
    /// Makes an empty store belong to `identity`, or checks that a used one does.
    ///
    /// - Returns: how far each partition has been taken in; empty for a new store.
    /// - Throws: ``StoreError``: ``StoreError/otherData(_:)`` where the store belongs to something else.
    func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress]

    /// How far each partition has been taken in now, by whichever consumer.
    func progress() throws(StoreError) -> [PartitionProgress]

    /// The rows of those of `installs` that have one, in any order.
    func installs(_ installs: [[UInt8]]) throws(StoreError) -> [StoredInstall]

    /// Makes all of `commit` true in one transaction, or none of it.
    ///
    /// - Returns: ``CommitOutcome/committed``, or why nothing was changed.
    func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome

    /// The first rows after an install in an order of the store's own, for going through all of them bit by bit.
    ///
    /// An `install` of these rows may stand for a longer id; it is good for ``compact(_:)`` and for asking on.
    ///
    /// - Parameters:
    ///   - install: the last install of the rows before; `nil` for the first rows.
    ///   - limit: how many at most. Fewer come only at the end.
    func installs(after install: [UInt8]?, limit: Int) throws(StoreError) -> [StoredInstall]

    /// Puts smaller states that mean the same in the place of rows' states, where a row still has the version.
    ///
    /// The version stays: for another consumer the state that it knows is as good as before, and nobody has a conflict.
    /// A row that was written since is left as it is.
    func compact(_ rows: [StoredInstall]) throws(StoreError)

    /// Lets go of the store, so that another consumer can have it. No other call may follow.
    func close() throws(StoreError)
}

/// What a store belongs to: the same offsets or counts would mean something else anywhere else.
public struct StoreIdentity: Sendable, Hashable {
    /// The Kafka cluster's id.
    public var clusterID: String
    /// The topic whose events are counted.
    public var topic: String
    /// The funnels, in the order of the funnels file.
    public var funnels: [Funnel]

    /// Creates an identity from its parts.
    public init(clusterID: String, topic: String, funnels: [Funnel]) {
        self.clusterID = clusterID
        self.topic = topic
        self.funnels = funnels
    }
}

/// One transaction's changes.
public struct StoreCommit: Sendable {
    /// How the partitions have moved on.
    public var partitions: [PartitionAdvance]
    /// The installs that changed, each once.
    public var installs: [InstallWrite]
    /// What the changes of the installs add to the summary, each key once.
    public var summary: [SummaryDelta]

    /// Creates a commit from its parts.
    public init(partitions: [PartitionAdvance], installs: [InstallWrite], summary: [SummaryDelta]) {
        self.partitions = partitions
        self.installs = installs
        self.summary = summary
    }
}

/// How one partition has moved on, valid only where it still stands where the move began.
public struct PartitionAdvance: Sendable, Hashable {
    /// The Kafka partition.
    public var partition: Int32
    /// The next offset that the store must have; `nil` where it must have none.
    public var expectedOffset: Int64?
    /// The next offset afterward; never less than ``expectedOffset``.
    public var nextOffset: Int64
    /// The greatest `time` of the valid events below ``nextOffset``; `nil` where there was no valid event yet.
    public var watermark: Timestamp?
    /// What the records between the two offsets add to the partition's quality counts.
    public var quality: Quality

    /// Creates an advance from its parts.
    public init(partition: Int32, expectedOffset: Int64?, nextOffset: Int64, watermark: Timestamp?, quality: Quality) {
        self.partition = partition
        self.expectedOffset = expectedOffset
        self.nextOffset = nextOffset
        self.watermark = watermark
        self.quality = quality
    }
}

/// What became of a commit.
public enum CommitOutcome: Sendable, Hashable {
    /// All of it is true now.
    case committed
    /// Nothing was changed: another consumer has moved these partitions. What was worked out from them is void.
    case fenced([PartitionProgress])
    /// Nothing was changed: another consumer has written these installs. They are the rows that stand now; the same
    /// events, united with them, can be committed again.
    case conflicts([StoredInstall])
    /// Nothing was changed: the store counts other funnels than those that it was opened with, because a rebuild has
    /// switched them over. It counts `identity`'s now and stands where `progress` says; what was worked out from the
    /// old funnels is void. The next commit is taken for one that knows the new ones.
    case redefined(identity: StoreIdentity, progress: [PartitionProgress])
}
