import EventReader
import FlowEvents
import FunnelStore
import Funnels

/// Reads records, sorts out invalid and late ones, and collects the others for the next commit. It does no I/O.
struct RecordIntake {
    private var collector: FunnelCollector
    // Indexed by partition, because every record needs a lookup. `nil` for a partition that is not assigned.
    private var partitions: [PartitionIntake?] = []
    private let reader: EventReader
    private let allowedLateness: Int64

    init(funnels: [Funnel], allowedLateness: Int64) {
        collector = FunnelCollector(funnels: funnels)
        reader = EventReader(fields: collector.fields)
        self.allowedLateness = allowedLateness
    }

    /// Starts a partition at the store's offset, or restarts it there.
    mutating func assign(_ partition: Int32, stored: PartitionProgress?) {
        let index = Int(partition)
        while partitions.count <= index { partitions.append(nil) }
        partitions[index] = PartitionIntake(
            partition: partition,
            stored: stored,
            allowedLateness: allowedLateness
        )
    }

    /// The offset of the next record of a partition; `nil` if the partition is not assigned.
    func position(of partition: Int32) -> Int64? {
        index(of: partition).flatMap { partitions[$0]?.progress.nextOffset }
    }

    private func index(of partition: Int32) -> Int? {
        partitions.indices.contains(Int(partition)) ? Int(partition) : nil
    }

    /// Forgets a partition. Records of it that were not committed are read again by the consumer that gets it next.
    mutating func revoke(_ partition: Int32) {
        if let index = index(of: partition) { partitions[index] = nil }
    }

    /// Drops the events that were collected and not committed.
    mutating func forgetInstalls() {
        collector = FunnelCollector(funnels: collector.funnels)
    }

    /// The approximate memory of the events that are not committed yet, in bytes.
    var pendingByteCount: Int { collector.pendingByteCount }

    /// Returns the events collected since the last call, and starts a new interval.
    mutating func takeInterval() -> EventInterval { collector.takeInterval() }

    /// Counts one record. A record that was counted before is ignored.
    ///
    /// - Returns: what is wrong with the record if it belongs in the dead-letter topic, otherwise `nil`.
    mutating func take(
        _ value: UnsafeRawBufferPointer,
        timestamp: Timestamp?,
        partition: Int32,
        offset: Int64
    ) -> EventViolation? {
        // A record below the offset was counted already; another consumer counts those of a revoked partition.
        guard let index = index(of: partition), var intake = partitions[index], offset >= intake.progress.nextOffset
        else { return nil }
        let reading = reader.read(value, recordTimestamp: timestamp) { event in
            collector.insert(
                event,
                partition: partition,
                isLate: !intake.admit(time: event.time, recordTimestamp: timestamp, offset: offset),
                // Notices are rare, so only they are read a second time for their contents.
                notice: DropNotice.isType(event.type) ? DropNotice(json: value) : nil
            )
        }
        var violation: EventViolation?
        if case .deadLetter(let found) = reading {
            intake.addDeadLetter(offset: offset)
            violation = found
        }
        partitions[index] = intake
        return violation
    }

    /// Moves a partition on to an offset. There are no records for consumers before it.
    mutating func skip(_ partition: Int32, to offset: Int64) {
        if let index = index(of: partition) { partitions[index]?.skip(to: offset) }
    }

    /// Moves a partition on to an offset, and counts the records before it as unread: the broker has deleted them, or they
    /// cannot be read.
    mutating func skipUnread(_ partition: Int32, to offset: Int64) {
        if let index = index(of: partition) { partitions[index]?.skipUnread(to: offset) }
    }

    /// Whether anything was read since the last commit.
    var hasChanges: Bool { partitions.contains { $0?.hasChanges == true } }

    /// Returns the offsets and quality counts of each partition that has changed since the last call.
    mutating func takeAdvances() -> [PartitionAdvance] {
        partitions.indices.compactMap { index in
            guard partitions[index]?.hasChanges == true,
                let (progress, expectedOffset) = partitions[index]?.takeChanges()
            else { return nil }
            return PartitionAdvance(
                partition: progress.partition,
                expectedOffset: expectedOffset,
                nextOffset: progress.nextOffset,
                watermark: progress.watermark,
                quality: progress.quality
            )
        }
    }
}
