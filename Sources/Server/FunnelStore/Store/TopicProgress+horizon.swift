package import FlowEvents
package import Funnels

/// The exchange of horizon and floors, which every store does inside its transactions.
///
/// A store raises its horizon before evidence is removed by it, and only as far as all of its partitions allow. A
/// partition is added only with a floor that is at least the horizon. Each of the two sees the other, or waits for it. So
/// no consumer admits an event from before a horizon by which another one removes evidence.
extension TopicProgress {
    /// Returns the horizon that the partitions allow, or the one that the store has already.
    ///
    /// - Parameter settings: what a consumer knows of the topic. The greatest partition count and lateness of all consumers
    ///   hold.
    package func raisedHorizon(_ settings: TopicSettings) -> Timestamp? {
        let reached = EvidenceHorizon.time(
            partitions,
            partitionCount: Int(max(settings.partitionCount, partitionCount ?? 0)),
            allowedLateness: max(settings.allowedLateness, greatestLateness ?? 0)
        )
        guard let horizon else { return reached }
        return reached.map { max($0, horizon) } ?? horizon
    }
}

extension PartitionAdvance {
    /// Whether a store with this horizon may take the advance in.
    package func isAllowed(by horizon: Timestamp?) -> Bool {
        guard expectedOffset == nil, let horizon else { return true }
        return floor.map { $0 >= horizon } ?? false
    }
}
