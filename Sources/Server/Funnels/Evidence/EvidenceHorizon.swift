import FlowEvents

/// The time before which events cannot count any more.
///
/// Each partition admits events from its watermark minus the lateness on, and watermarks only grow. The least of these
/// times holds for the whole topic. Evidence that only earlier events could need is
/// removed.
///
/// While a partition has no valid event there is no horizon. A partition without new events holds the horizon back, as
/// an
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
            guard let watermark = partition.watermark else { return nil }
            least = min(least ?? .max, watermark.milliseconds)
        }
        guard let least else { return nil }
        let (time, overflow) = least.subtractingReportingOverflow(allowedLateness)
        // Events have no time before the year 0.
        return overflow || time < -62_167_305_600_000 ? nil : Timestamp(milliseconds: time)
    }
}
