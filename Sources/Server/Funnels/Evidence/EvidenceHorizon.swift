public import FlowEvents

/// The moment before which no event can count any more.
///
/// Each partition admits events of its watermark minus the lateness or later, and watermarks only grow. The least of
/// these bounds holds for all of the topic: evidence that only earlier events could need is past, see `semantics.md`,
/// rule 10. A partition without a valid event bounds nothing, and one where nothing happens holds the horizon where it
/// is, as an [idle source](https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/datastream/event-time/generating_watermarks/#dealing-with-idle-sources)
/// holds a watermark back: what is still possible is not given up for room.
public enum EvidenceHorizon {
    /// The horizon by what a store has taken in.
    ///
    /// - Parameters:
    ///   - progress: the store's partitions.
    ///   - partitionCount: how many partitions the topic has.
    ///   - allowedLateness: in milliseconds.
    /// - Returns: `nil` where an event of any time can still count.
    public static func time(
        _ progress: [PartitionProgress],
        partitionCount: Int,
        allowedLateness: Int64
    ) -> Timestamp? {
        guard Set(progress.map(\.partition)).isSuperset(of: 0..<Int32(partitionCount)) else { return nil }
        var least: Int64?
        for partition in progress {
            guard let watermark = partition.watermark else { return nil }
            least = min(least ?? .max, watermark.milliseconds)
        }
        guard let least else { return nil }
        let (time, overflow) = least.subtractingReportingOverflow(allowedLateness)
        // Before the year 0 there are no events.
        return overflow || time < -62_167_305_600_000 ? nil : Timestamp(milliseconds: time)
    }
}
