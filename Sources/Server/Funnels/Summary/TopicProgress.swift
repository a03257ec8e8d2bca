public import FlowEvents

/// What a report has to know of the topic to say which days are settled and which are final: see ``DayState``.
public struct TopicProgress: Sendable, Hashable {
    /// The progress of each partition that the store knows.
    public var partitions: [PartitionProgress]
    /// The number of partitions of the topic; `nil` where no consumer has stored it yet.
    public var partitionCount: Int32?
    /// The greatest lateness ever used with the store, in milliseconds; `nil` where no consumer has stored it yet.
    public var greatestLateness: Int64?

    /// The time before which evidence may have been removed, and no event counts any more; `nil` where none was removed.
    public var horizon: Timestamp?

    /// Creates a state from its parts.
    public init(
        partitions: [PartitionProgress] = [],
        partitionCount: Int32? = nil,
        greatestLateness: Int64? = nil,
        horizon: Timestamp? = nil
    ) {
        self.partitions = partitions
        self.partitionCount = partitionCount
        self.greatestLateness = greatestLateness
        self.horizon = horizon
    }
}
