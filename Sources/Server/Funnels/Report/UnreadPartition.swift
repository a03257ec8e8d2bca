public import FlowEvents

/// A partition that no consumer has read for the store of late, so that a report lacks its newest events, or all of them.
public struct UnreadPartition: Sendable, Hashable {
    /// How long ago a partition may have been read in a report that is whole, in milliseconds: 10 minutes. A consumer says
    /// each minute that it has read all of a quiet partition, and one that starts again or is replaced takes less.
    public static let freshnessLimit: Int64 = 10 * 60_000

    /// The number of the partition.
    public var partition: Int32
    /// When a consumer last read it; `nil` where none ever has.
    public var readAt: Timestamp?
    /// The store for which it was not read, where a report is of several; else `nil`.
    public var store: String?
}

extension SummarySource {
    /// Returns the partitions of the topic that the store has not read within a limit, in their order.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - limit: the limit, in milliseconds.
    public func unreadPartitions(
        now: Timestamp,
        limit: Int64 = UnreadPartition.freshnessLimit
    ) throws -> [UnreadPartition] {
        guard parts.isEmpty else {
            return try parts.flatMap { part in
                try part.source.unreadPartitions(now: now, limit: limit).map { partition in
                    UnreadPartition(partition: partition.partition, readAt: partition.readAt, store: part.name)
                }
            }
        }
        let topic = try topicProgress()
        let reads = try partitionReads()
        return (0..<max(0, topic.partitionCount ?? 0)).compactMap { partition in
            let time = reads[partition]
            let isFresh = time.map { now.milliseconds - $0.milliseconds <= limit } ?? false
            return isFresh ? nil : UnreadPartition(partition: partition, readAt: time)
        }
    }
}
