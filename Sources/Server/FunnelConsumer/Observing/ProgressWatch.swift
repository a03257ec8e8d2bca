/// Finds the partitions that have records to read and are not read on.
struct ProgressWatch {
    /// What is known about an assigned partition.
    struct Observation {
        /// The offset of the next record to read; `nil` if it is not known yet.
        var position: Int64?
        /// The number of records that are not read yet; `nil` before the broker's first answer.
        var lag: Int64?
    }

    /// How long a partition may stay at one offset before it counts as stalled. A broker's restart takes less.
    static let limit = Duration.seconds(60)

    private var last: [Int32: (position: Int64?, since: ContinuousClock.Instant)] = [:]

    /// Returns the stalled partitions, each with how long it has stayed at its offset.
    mutating func stalled(
        _ partitions: [Int32: Observation],
        now: ContinuousClock.Instant
    ) -> [(partition: Int32, duration: Duration)] {
        last = last.filter { partitions[$0.key] != nil }
        for (partition, observation) in partitions {
            let isSame = last[partition].map { $0.position == observation.position } ?? false
            // A partition whose lag is not known was never fetched: it may have no leader.
            if !isSame || observation.lag == 0 { last[partition] = (observation.position, now) }
        }
        var stalled: [(partition: Int32, duration: Duration)] = []
        for (partition, entry) in last.sorted(by: { $0.key < $1.key }) {
            let duration = entry.since.duration(to: now)
            if duration >= Self.limit { stalled.append((partition, duration)) }
        }
        return stalled
    }
}
