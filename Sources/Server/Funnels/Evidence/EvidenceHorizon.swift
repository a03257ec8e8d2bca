import FlowEvents

/// The time before which events cannot count any more.
///
/// Each partition admits events from its watermark minus the lateness on, and from its floor on, and watermarks only grow.
/// The least of these times holds for the whole topic. Evidence that only earlier events could need is removed.
///
/// A store keeps the greatest horizon by which evidence is removed. A partition that is read for the first time after that
/// gets it as its floor. So the horizon never moves back, and no event counts whose install may miss older evidence.
///
/// While a partition has neither a valid event nor a floor, there is no horizon. A partition without new events holds
/// the horizon back, as an
/// [idle source](https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/datastream/event-time/generating_watermarks/#dealing-with-idle-sources)
/// holds back a watermark: saving memory is no reason to lose events that may still count.
package enum EvidenceHorizon {
    /// The horizon of a store.
    ///
    /// - Parameters:
    ///   - progress: the partitions in the store.
    ///   - partitionCount: the number of partitions of the topic.
    ///   - allowedLateness: how far behind the watermark an event may be, in milliseconds.
    /// - Returns: the horizon; `nil` where an event of any time can still count.
    package static func time(
        _ progress: [PartitionProgress],
        partitionCount: Int,
        allowedLateness: Int64
    ) -> Timestamp? {
        guard Set(progress.map(\.partition)).isSuperset(of: 0..<Int32(partitionCount)) else { return nil }
        var least: Int64?
        for partition in progress {
            guard let time = firstTime(of: partition, allowedLateness) else { return nil }
            least = min(least ?? .max, time)
        }
        return least.map { Timestamp(milliseconds: $0) }
    }

    /// The time of the earliest event that can still count in a partition; `nil` where an event of any time can.
    private static func firstTime(of partition: PartitionProgress, _ allowedLateness: Int64) -> Int64? {
        guard let watermark = partition.watermark else { return partition.floor?.milliseconds }
        let (time, overflow) = watermark.milliseconds.subtractingReportingOverflow(allowedLateness)
        // Events have no time before the year 0.
        guard !overflow, time >= -62_167_305_600_000 else { return partition.floor?.milliseconds }
        return max(time, partition.floor?.milliseconds ?? .min)
    }
}
