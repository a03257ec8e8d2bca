import FunnelStore
import Funnels

/// The errors for a topic that is not the one that the store has counted, although it has the same name. A consumer, a
/// verification and a rebuild report it with the same words.
extension StoreError {
    private static let advice = "Use another store to count this topic from the start; this store keeps its counts."

    /// The topic has another record at the offset of a record that the store has counted.
    static func replacedRecord(_ mark: RecordMark, partition: Int32, topic: String) -> StoreError {
        .otherData(
            """
            the store has counted a record at offset \(mark.offset) of partition \(partition) of topic \(topic), and the \
            topic now has another record there: the topic was deleted and created again, or the partition has lost \
            records and has got others since. \(advice)
            """
        )
    }

    /// The store's offset is past the end of the partition.
    static func offset(_ offset: Int64, pastEnd end: Int64, partition: Int32, topic: String) -> StoreError {
        .otherData(
            """
            the store has read partition \(partition) of topic \(topic) up to offset \(offset), but the partition ends \
            at \(end): the topic was deleted and created again. \(advice)
            """
        )
    }

    /// The topic does not have all partitions that the store has read.
    ///
    /// - Parameters:
    ///   - partition: the last partition that the store has read.
    ///   - topic: the topic.
    ///   - count: the topic's number of partitions; `nil` if the topic does not exist.
    static func missingPartition(_ partition: Int32, topic: String, count: Int?) -> StoreError {
        .otherData(
            """
            the store has read partition \(partition) of topic \(topic), but the topic \
            \(count.map { "has only \($0) partitions" } ?? "does not exist"): it was deleted. \(advice)
            """
        )
    }
}
