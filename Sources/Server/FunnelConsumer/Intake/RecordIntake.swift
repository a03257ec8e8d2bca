internal import EventReader
import FlowEvents
import FunnelStore
import Funnels

/// Reads records, sorts out invalid and late ones, and collects the others for the next commit. It does no I/O.
struct RecordIntake {
    private var collector: FunnelCollector
    // Indexed by partition, because every record needs a lookup. `nil` for a partition that is not assigned.
    private var partitions: [PartitionIntake?] = []
    // Beside the partitions, because a record does not change them.
    private var statuses: [PartitionStatus] = []
    private var reader: EventReader
    private let allowedLateness: Int64
    /// Whether Kafka compacts the topic. Set it before partitions are assigned.
    var isCompacted = false

    init(funnels: [Funnel], allowedLateness: Int64) {
        collector = FunnelCollector(funnels: funnels)
        reader = EventReader(fields: collector.fields)
        self.allowedLateness = allowedLateness
    }

    /// Starts a partition at the store's offset, or restarts it there.
    ///
    /// - Parameters:
    ///   - partition: the partition.
    ///   - stored: the partition's progress in the store; `nil` if the store has none.
    ///   - firstOffset: the first offset that the topic still has; `nil` where it is not known, see ``PartitionIntake``.
    ///   - horizon: the store's horizon; `nil` where no evidence was ever removed.
    ///   - isBegun: whether to commit that nothing was read yet; `false` if the partition's first offset is not known.
    mutating func assign(
        _ partition: Int32,
        stored: PartitionProgress?,
        firstOffset: Int64? = nil,
        horizon: Timestamp? = nil,
        isBegun: Bool = true
    ) {
        let index = Int(partition)
        while partitions.count <= index {
            partitions.append(nil)
            statuses.append(PartitionStatus())
        }
        // A partition that starts again keeps its confirmed record: the store's may be of a topic that is not noticed yet.
        let confirmed = partitions[index] == nil ? nil : statuses[index].confirmed
        partitions[index] = PartitionIntake(
            partition: partition,
            stored: stored,
            firstOffset: firstOffset,
            horizon: horizon,
            allowedLateness: allowedLateness
        )
        // Where the first offset is not known, those before the first record may have been deleted for their age.
        partitions[index]?.isCompacted = isCompacted && isBegun
        statuses[index] = PartitionStatus(
            isBegun: isBegun,
            storedIsAtEnd: stored?.isAtEnd ?? false,
            confirmed: confirmed ?? stored?.lastRecord
        )
    }

    /// Records the end of a partition: there is no record at this offset yet.
    mutating func setEnd(of partition: Int32, at offset: Int64) {
        if let index = index(of: partition) { statuses[index].end = offset }
    }

    /// Records which record of a partition was read last.
    mutating func setLastRecord(_ mark: RecordMark, of partition: Int32) {
        guard let index = index(of: partition) else { return }
        statuses[index].lastRecord = mark
        if statuses[index].confirmed == nil { statuses[index].confirmed = mark }
    }

    /// The assigned partitions of which records were read since the topic was last seen to have the confirmed record.
    var unconfirmedRecords: [Int32: UnconfirmedRecord] {
        var records: [Int32: UnconfirmedRecord] = [:]
        for index in partitions.indices where partitions[index] != nil {
            guard let confirmed = statuses[index].confirmed, let last = statuses[index].lastRecord,
                confirmed.offset < last.offset
            else { continue }
            records[Int32(index)] = UnconfirmedRecord(confirmed: confirmed, last: last)
        }
        return records
    }

    /// Confirms that a record is of the same topic as those read before it.
    mutating func confirm(_ mark: RecordMark, of partition: Int32) {
        if let index = index(of: partition), statuses[index].confirmed != nil { statuses[index].confirmed = mark }
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

    /// Goes on with other funnels, without the events that were collected and not committed. Assign each partition again at
    /// the store's offset. What is known of the topic stays.
    mutating func replaceFunnels(by funnels: [Funnel]) {
        collector = FunnelCollector(funnels: funnels)
        reader = EventReader(fields: collector.fields)
    }

    /// Drops the events that were collected and not committed.
    mutating func forgetInstalls() {
        collector = FunnelCollector(funnels: collector.funnels)
    }

    /// The events that are not committed yet.
    var pending: PendingLoad {
        PendingLoad(
            byteCount: collector.pendingByteCount,
            eventCount: collector.pendingCount,
            installCount: collector.installCount
        )
    }

    /// Returns the events collected since the last call, and starts a new interval.
    mutating func takeInterval() -> EventInterval { collector.takeInterval() }

    /// Counts one record. A record that was counted before is ignored.
    ///
    /// - Parameters:
    ///   - value: the value of the record.
    ///   - timestamp: the timestamp of the record.
    ///   - partition: the partition of the record.
    ///   - offset: the offset of the record.
    ///   - attributes: returns the attributes of an event in binary mode. It is called only for a value that is no CloudEvent.
    /// - Returns: what is wrong with the record if it belongs in the dead-letter topic, otherwise `nil`.
    mutating func take(
        _ value: UnsafeRawBufferPointer,
        timestamp: Timestamp?,
        partition: Int32,
        offset: Int64,
        attributes: () -> [ForeignEvent.Attribute] = { [] }
    ) -> EventViolation? {
        // A record below the offset was counted already; another consumer counts those of a revoked partition.
        guard let index = index(of: partition), let next = partitions[index]?.progress.nextOffset, offset >= next
        else { return nil }
        var violation = insert(value, timestamp, partition, offset, at: index)
        if let found = violation, let other = reader.rewritten(value, after: found, attributes: attributes) {
            violation = other.withUnsafeBytes { insert($0, timestamp, partition, offset, at: index) }
        }
        if violation != nil { partitions[index]?.addDeadLetter(offset: offset) }
        return violation
    }

    private mutating func insert(
        _ value: UnsafeRawBufferPointer,
        _ timestamp: Timestamp?,
        _ partition: Int32,
        _ offset: Int64,
        at index: Int
    ) -> EventViolation? {
        reader.violation(in: value, recordTimestamp: timestamp) { event in
            // In place: a copy of the partition's counts would cost as much as the decision.
            let isAdmitted = partitions[index]?.admit(time: event.time, recordTimestamp: timestamp, offset: offset)
            collector.insert(
                event,
                partition: partition,
                isLate: isAdmitted != true,
                // Notices are rare, so only they are read a second time for their contents.
                notice: DropNotice.isType(event.type) ? DropNotice(json: value) : nil
            )
        }
    }

    /// Moves a partition to the first offset that it has. Where it is read for the first time, records before are gone.
    mutating func begin(_ partition: Int32, at offset: Int64) {
        guard let index = index(of: partition) else { return }
        partitions[index]?.begin(at: offset)
        statuses[index].isBegun = true
    }

    /// Moves a partition on to an offset. There are no records for consumers before it.
    mutating func skip(_ partition: Int32, to offset: Int64) {
        guard let index = index(of: partition) else { return }
        partitions[index]?.skip(to: offset)
        statuses[index].isBegun = true
    }

    /// Moves a partition on to the first offset that it still has, and counts the records before it as unread.
    mutating func skipDeleted(_ partition: Int32, to offset: Int64) {
        guard let index = index(of: partition) else { return }
        partitions[index]?.skipDeleted(to: offset)
        statuses[index].isBegun = true
    }

    /// Moves a partition on to an offset, and counts the records before it as unread: they cannot be read.
    mutating func skipUnread(_ partition: Int32, to offset: Int64) {
        guard let index = index(of: partition) else { return }
        partitions[index]?.skipUnread(to: offset)
        statuses[index].isBegun = true
    }

    /// Keeps with the next commit that the partitions which are read to their ends have no further records now.
    mutating func confirmEnds() {
        for index in partitions.indices {
            guard let intake = partitions[index], statuses[index].isAtEnd(intake) else { continue }
            statuses[index].isConfirmedAtEnd = true
        }
    }

    /// Whether there is progress that the store does not have.
    var hasChanges: Bool {
        partitions.indices.contains { index in
            guard let intake = partitions[index] else { return false }
            return statuses[index].hasChanges(intake) || statuses[index].isConfirmedAtEnd
                || (statuses[index].isAtEnd(intake) && !statuses[index].storedIsAtEnd)
        }
    }

    /// Returns the offsets and quality counts of each partition that has changed since the last call.
    ///
    /// - Parameter now: when the partitions were read.
    mutating func takeAdvances(now: Timestamp? = nil) -> [PartitionAdvance] {
        partitions.indices.compactMap { index in
            guard let intake = partitions[index] else { return nil }
            let isAtEnd = statuses[index].isAtEnd(intake)
            // That a partition is no longer at its end is worth no commit, but must not wait for its own records: as long
            // as the store has it as read to its end, a report does not wait for it.
            let hasNews = statuses[index].isConfirmedAtEnd || isAtEnd != statuses[index].storedIsAtEnd
            guard statuses[index].hasChanges(intake) || hasNews,
                let (progress, expectedOffset) = partitions[index]?.takeChanges()
            else { return nil }
            statuses[index].storedIsAtEnd = isAtEnd
            statuses[index].isConfirmedAtEnd = false
            var advance = PartitionAdvance(
                partition: progress.partition,
                expectedOffset: expectedOffset,
                nextOffset: progress.nextOffset,
                floor: progress.floor,
                watermark: progress.watermark,
                isAtEnd: isAtEnd,
                lastRecord: statuses[index].lastRecord,
                quality: progress.quality
            )
            // A partition that only begins has not been read.
            let isRead = expectedOffset.map { $0 < progress.nextOffset } ?? (progress.quality != Quality())
            if isRead || isAtEnd { advance.readAt = now }
            advance.firstTime = partitions[index]?.takeFirstTime()
            return advance
        }
    }
}

/// Two records of a partition that were read one after the other.
struct UnconfirmedRecord: Sendable, Hashable {
    /// A record that is known to be of the topic that the store counts.
    let confirmed: RecordMark
    /// The record that was read last. If the topic still has the confirmed record after that, it is of the same topic.
    let last: RecordMark
}

/// What a consumer knows of an assigned partition besides its counts.
private struct PartitionStatus {
    /// Whether the partition's first offset is known.
    var isBegun = true
    /// The offset at which there was no record yet, when the partition was last read to its end.
    var end: Int64?
    /// Whether the store has the partition as read to its end.
    var storedIsAtEnd = false
    /// Whether Kafka was seen to have no further records than those that were read.
    var isConfirmedAtEnd = false
    /// The last record that was read.
    var lastRecord: RecordMark?
    /// A record that is known to be of the topic that the store counts; `nil` before the first one is read.
    var confirmed: RecordMark?

    func isAtEnd(_ intake: PartitionIntake) -> Bool { intake.progress.nextOffset == end }

    func hasChanges(_ intake: PartitionIntake) -> Bool {
        // A partition of which a record was read has begun.
        intake.hasChanges && (isBegun || intake.progress.nextOffset > 0)
    }
}
