import EventReader
import FlowEvents
import FunnelStore
import Funnels

/// From records to funnels: reads each record, judges it, and collects what counts. Without I/O.
///
/// It belongs to one thread.
struct RecordIntake {
    private var collector: FunnelCollector
    // By number, as every record comes here: partitions are numbered from 0.
    private var partitions: [PartitionIntake?] = []
    private let reader: EventReader
    private let allowedLateness: Int64

    init(funnels: [Funnel], allowedLateness: Int64) {
        collector = FunnelCollector(funnels: funnels)
        reader = EventReader(fields: collector.fields)
        self.allowedLateness = allowedLateness
    }

    /// Begins a partition where the store stands, or begins it again there.
    mutating func assign(_ partition: Int32, stored: PartitionProgress?) {
        let place = Int(partition)
        while partitions.count <= place { partitions.append(nil) }
        partitions[place] = PartitionIntake(
            partition: partition,
            stored: stored,
            allowedLateness: allowedLateness
        )
    }

    /// The offset of the next record of a partition; `nil` for one that is not assigned.
    func position(of partition: Int32) -> Int64? {
        place(of: partition).flatMap { partitions[$0]?.progress.nextOffset }
    }

    private func place(of partition: Int32) -> Int? {
        partitions.indices.contains(Int(partition)) ? Int(partition) : nil
    }

    /// Forgets a partition; what was not committed of it must have been, or is read again by whoever has it next.
    mutating func revoke(_ partition: Int32) {
        if let place = place(of: partition) { partitions[place] = nil }
    }

    /// Forgets all installs, and what waits of them.
    mutating func forgetInstalls() {
        collector = FunnelCollector(funnels: collector.funnels)
    }

    /// The bytes of memory that wait to be committed, roughly.
    var pendingByteCount: Int { collector.pendingByteCount }

    /// Hands over what was taken in since the last time.
    mutating func takeInterval() -> EventInterval { collector.takeInterval() }

    /// Takes in one record.
    ///
    /// - Returns: what is wrong with it where it is to go to the dead-letter topic; `nil` where it was taken in, or
    ///   where it has been before.
    mutating func take(
        _ value: UnsafeRawBufferPointer,
        timestamp: Timestamp?,
        partition: Int32,
        offset: Int64
    ) -> EventViolation? {
        // A record below the offset was taken in already; one of a partition that is gone is another consumer's.
        guard let place = place(of: partition), var intake = partitions[place], offset >= intake.progress.nextOffset
        else { return nil }
        let reading = reader.read(value, recordTimestamp: timestamp) { event in
            collector.insert(
                event,
                partition: partition,
                isLate: !intake.admit(time: event.time, offset: offset),
                // Rare enough to be read a second time, so that all others need not be asked for what it says.
                notice: DropNotice.isType(event.type) ? DropNotice(json: value) : nil
            )
        }
        var violation: EventViolation?
        if case .deadLetter(let found) = reading {
            intake.addDeadLetter(offset: offset)
            violation = found
        }
        partitions[place] = intake
        return violation
    }

    /// Moves a partition on to its end where what is left before it are no records for consumers.
    mutating func skip(_ partition: Int32, to offset: Int64) {
        if let place = place(of: partition) { partitions[place]?.skip(to: offset) }
    }

    /// Moves a partition on to the first record that the broker still has, where it has deleted others unread.
    mutating func skipDeleted(_ partition: Int32, to offset: Int64) {
        if let place = place(of: partition) { partitions[place]?.skipDeleted(to: offset) }
    }

    var hasChanges: Bool { partitions.contains { $0?.hasChanges == true } }

    /// What has been read of each partition since the last time.
    mutating func takeAdvances() -> [PartitionAdvance] {
        partitions.indices.compactMap { place in
            guard partitions[place]?.hasChanges == true,
                let (progress, expectedOffset) = partitions[place]?.takeChanges()
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
