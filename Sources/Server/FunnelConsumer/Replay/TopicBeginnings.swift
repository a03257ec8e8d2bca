import FlowEvents
import Funnels
import RDKafka

/// The beginnings of the partitions that are counted again: where they begin now, and what is lost before.
struct TopicBeginnings {
    private struct Partition {
        /// The partition's watermark in the store that is compared.
        let watermark: Timestamp?
        var hasLostBeginning: Bool
        var hasStarted = false
        var firstTimestamp: Timestamp?

        /// The greatest `time` that a lost event can have; `nil` if none is lost.
        var lostEventBound: Timestamp? {
            guard hasLostBeginning, let watermark else { return nil }
            // The watermark is at least the timestamp of each record, or the time of its event, and an event whose time is
            // further ahead of its record's timestamp is invalid.
            let latest = min(watermark.milliseconds, firstTimestamp?.milliseconds ?? .max)
            return Timestamp(milliseconds: latest + EventRules.maximumLead)
        }
    }

    /// Leaves out each partition's records before the first with this timestamp or a later one; `nil` reads all.
    var from: Timestamp?
    private var partitions: [Int32: Partition] = [:]
    private var unstartedCount = 0

    /// Adds a partition that begins at an offset.
    ///
    /// - Parameters:
    ///   - partition: the partition.
    ///   - offset: the first offset that the topic still has.
    ///   - watermark: the partition's watermark in the store that is compared.
    mutating func add(_ partition: Int32, at offset: Int64, watermark: Timestamp?) {
        partitions[partition] = Partition(watermark: watermark, hasLostBeginning: offset > 0)
        unstartedCount += 1
    }

    /// Finds the first records of partitions, and moves the intake past those that are left out.
    ///
    /// - Parameters:
    ///   - records: the next records, in order.
    ///   - ends: the offsets up to which the partitions are counted.
    ///   - intake: has the offsets of the partitions.
    mutating func begin(with records: RecordBatch, before ends: [Int32: Int64], in intake: inout RecordIntake) {
        guard unstartedCount > 0 else { return }
        records.forEach { record in
            guard partitions[record.partition]?.hasStarted == false, record.offset < ends[record.partition] ?? 0
            else { return }
            let timestamp = record.timestamp.milliseconds.map(Timestamp.init)
            if let from, let timestamp, timestamp < from {
                partitions[record.partition]?.hasLostBeginning = true
                return intake.skip(record.partition, to: record.offset + 1)
            }
            partitions[record.partition]?.hasStarted = true
            partitions[record.partition]?.firstTimestamp = timestamp
            unstartedCount -= 1
        }
    }

    /// Whether every record that was ever in the topic is counted.
    var isComplete: Bool { !partitions.values.contains(where: \.hasLostBeginning) }

    /// The first day of which the topic has all events; `nil` if it has every event.
    ///
    /// - Parameter tables: the funnels' time zones.
    func firstComparableDay(_ tables: [TimeZoneTable]) -> Day? {
        guard let bound = partitions.values.compactMap(\.lostEventBound).max() else { return nil }
        let last = tables.map { $0.day(of: bound) }.max() ?? Day(containing: bound)
        return Day(number: last.number + 1)
    }
}
