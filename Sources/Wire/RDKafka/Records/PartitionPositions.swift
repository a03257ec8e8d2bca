/// The position of each assigned partition, which decides whether a record is the next one. No I/O.
///
/// A second check after librdkafka's version barriers: a record is accepted only if its partition is assigned and no
/// record at or after its offset was accepted since the partition was started. Offsets may have gaps (compaction,
/// transaction markers), so an offset beyond the next one is valid.
struct PartitionPositions {
    private struct Topic {
        let name: String
        /// The next offset by partition; `Self.unassigned` if the partition is not assigned.
        var next: [Int64] = []
        var starts: [Int32: StartOffset] = [:]
    }

    private static let unassigned = Int64.max

    private var topics: [Topic] = []

    init() {}

    /// The number of a topic for ``accept(topic:partition:offset:)``. It never changes.
    mutating func number(of topic: String) -> Int {
        if let known = topics.firstIndex(where: { $0.name == topic }) {
            return known
        }
        topics.append(Topic(name: topic))
        return topics.count - 1
    }

    /// Starts partitions, or restarts them at other positions.
    mutating func start(_ starts: some Sequence<PartitionStart>) {
        for start in starts {
            let topic = number(of: start.partition.topic)
            let index = Int(start.partition.partition)
            let missing = index + 1 - topics[topic].next.count
            if missing > 0 {
                topics[topic].next.append(contentsOf: repeatElement(Self.unassigned, count: missing))
            }
            topics[topic].starts[start.partition.partition] = start.start
            topics[topic].next[index] = if case .offset(let offset) = start.start { offset } else { 0 }
        }
    }

    /// Removes partitions.
    mutating func stop(_ partitions: some Sequence<TopicPartition>) {
        for partition in partitions {
            let topic = number(of: partition.topic)
            guard topics[topic].starts.removeValue(forKey: partition.partition) != nil else { continue }
            topics[topic].next[Int(partition.partition)] = Self.unassigned
        }
    }

    /// Whether to deliver a record. If so, the position moves behind it.
    mutating func accept(topic: Int, partition: Int32, offset: Int64) -> Bool {
        let index = Int(partition)
        guard index < topics[topic].next.count, offset >= topics[topic].next[index] else { return false }
        topics[topic].next[index] = offset + 1
        return true
    }

    /// Moves the position to the end of the partition, which is at this offset.
    mutating func reachedEnd(of partition: TopicPartition, at offset: Int64) {
        let topic = number(of: partition.topic)
        guard topics[topic].starts[partition.partition] != nil else { return }
        let index = Int(partition.partition)
        topics[topic].next[index] = max(topics[topic].next[index], offset)
        topics[topic].starts[partition.partition] = .offset(topics[topic].next[index])
    }

    /// Whether the partition is assigned.
    func isAssigned(_ partition: TopicPartition) -> Bool {
        topics.contains { $0.name == partition.topic && $0.starts[partition.partition] != nil }
    }

    /// The position at which the partition has to be started to skip and repeat nothing; `nil` if it is not assigned.
    func resumption(of partition: TopicPartition) -> StartOffset? {
        guard let topic = topics.first(where: { $0.name == partition.topic }),
            let start = topic.starts[partition.partition]
        else { return nil }
        let next = topic.next[Int(partition.partition)]
        if case .offset = start { return .offset(next) }
        return next > 0 ? .offset(next) : start
    }

    /// All assigned partitions with their ``resumption(of:)``, in order.
    var resumptions: [PartitionStart] {
        topics
            .flatMap { topic in topic.starts.keys.map { TopicPartition(topic: topic.name, partition: $0) } }
            .sorted()
            .compactMap { partition in resumption(of: partition).map { PartitionStart(partition, at: $0) } }
    }
}
