import FlowEvents

/// The progress of reading one partition since the last commit. It decides which events are late.
///
/// Lateness depends on the partition's own order and its floor only: the watermark is the greatest min(event's time,
/// record's timestamp) of the valid events at lower offsets. So the decision on a record is the same however often it is
/// read. An event that is ahead of its record, because a device's clock is, does not make the events after it late.
///
/// The floor is that of a partition which was added to the topic, or read for the first time, after the store had removed
/// evidence: an earlier event would be counted without what its install did around it.
package struct PartitionIntake: Sendable {
    /// The offset, watermark and quality counts. The counts are those since the last commit.
    package private(set) var progress: PartitionProgress
    /// The next offset in the store; `nil` where the store has no entry for the partition.
    package private(set) var committedOffset: Int64?
    /// Whether Kafka compacts the topic, so that offsets without a record count as ``Quality/compacted``.
    package var isCompacted = false
    private let allowedLateness: Int64
    // In milliseconds.
    private let floor: Int64
    /// Whether records before the next valid event were gone before they were read.
    private var isAfterLoss: Bool
    /// The time of the first valid event after such a loss, until it is taken.
    private var firstTime: Timestamp?

    /// Continues from the progress in a store.
    ///
    /// - Parameters:
    ///   - partition: the Kafka partition.
    ///   - stored: the partition's progress in the store; `nil` where the store has none.
    ///   - firstOffset: the first offset that the topic still has; `nil` where it is not known. It matters where
    ///     ``needsFirstOffset(_:)``.
    ///   - horizon: the store's horizon, which becomes the floor where the store does not have the partition; `nil` where
    ///     no evidence was ever removed.
    ///   - allowedLateness: how far behind the watermark an event may be, in milliseconds.
    package init(
        partition: Int32,
        stored: PartitionProgress?,
        firstOffset: Int64? = nil,
        horizon: Timestamp? = nil,
        allowedLateness: Int64
    ) {
        progress = PartitionProgress(
            partition: partition,
            nextOffset: stored?.nextOffset ?? 0,
            floor: stored.map(\.floor) ?? horizon,
            watermark: stored?.watermark
        )
        // The horizon is not above what the watermark says, unless the lateness is greater than it was.
        floor = max(progress.floor?.milliseconds ?? .min, horizon?.milliseconds ?? .min)
        committedOffset = stored?.nextOffset
        let isWhole = firstOffset == 0 && stored?.quality.unread == 0
        isAfterLoss = stored.map { Self.needsFirstOffset($0) && !isWhole } ?? false
        self.allowedLateness = allowedLateness
    }

    /// Whether a store's progress in a partition does not tell if records were gone before the partition was first read.
    ///
    /// It has no valid event yet, and has passed more offsets than records: those of records that were gone, or of
    /// aborted transactions and their markers, which are not delivered.
    package static func needsFirstOffset(_ stored: PartitionProgress) -> Bool {
        stored.watermark == nil && stored.nextOffset > stored.quality.deadLetters
    }

    /// Whether there is progress that the store does not have.
    ///
    /// The beginning of a partition is progress too, even without a record: records that are deleted after that were
    /// deleted unread.
    package var hasChanges: Bool { progress.nextOffset != committedOffset }

    /// Counts a valid event.
    ///
    /// - Parameters:
    ///   - time: the event's time.
    ///   - recordTimestamp: the timestamp of the event's record; `nil` where the record has none.
    ///   - offset: the record's offset.
    /// - Returns: whether the event counts in funnels; `false` where it is late.
    package mutating func admit(time: Timestamp, recordTimestamp: Timestamp?, offset: Int64) -> Bool {
        skip(to: offset)
        progress.nextOffset = offset + 1
        progress.quality.events += 1
        let bounded = recordTimestamp.map { min(time, $0) } ?? time
        var isLate = time.milliseconds < floor
        if let watermark = progress.watermark, bounded <= watermark {
            // An unbounded lateness overflows.
            let (bound, overflow) = watermark.milliseconds.subtractingReportingOverflow(allowedLateness)
            if !overflow, time.milliseconds < bound { isLate = true }
        } else {
            progress.watermark = bounded
        }
        if isLate {
            progress.quality.late += 1
            return false
        }
        if isAfterLoss {
            firstTime = firstTime ?? time
            isAfterLoss = false
        }
        return true
    }

    /// Counts a record that goes to the dead-letter topic.
    package mutating func addDeadLetter(offset: Int64) {
        skip(to: offset)
        progress.nextOffset = offset + 1
        progress.quality.deadLetters += 1
    }

    /// Moves to the first offset that a partition has when it is first read. Those before are gone.
    package mutating func begin(at offset: Int64) {
        if committedOffset == nil, offset > 0 { isAfterLoss = true }
        progress.nextOffset = max(progress.nextOffset, offset)
    }

    /// Returns the time of the first valid event where the partition had lost events before it; `nil` where it had not, and
    /// once it was taken.
    package mutating func takeFirstTime() -> Timestamp? {
        defer { firstTime = nil }
        return firstTime
    }

    /// Moves to `offset`, before which the consumer has no records to count.
    package mutating func skip(to offset: Int64) {
        guard offset > progress.nextOffset else { return }
        if isCompacted { progress.quality.compacted += offset - progress.nextOffset }
        progress.nextOffset = offset
    }

    /// Moves to the first offset that a partition still has, and counts the records before it as unread: the broker has
    /// deleted them. The first events of some actors may be among them.
    package mutating func skipDeleted(to offset: Int64) {
        if offset > progress.nextOffset { isAfterLoss = true }
        skipUnread(to: offset)
    }

    /// Moves to `offset`, and counts the records before it as unread: they cannot be read.
    package mutating func skipUnread(to offset: Int64) {
        guard offset > progress.nextOffset else { return }
        progress.quality.unread += offset - progress.nextOffset
        progress.nextOffset = offset
    }

    /// Returns the progress to commit and begins the next interval.
    ///
    /// - Returns: the progress since the last commit, and the next offset that the store must have.
    package mutating func takeChanges() -> (progress: PartitionProgress, expectedOffset: Int64?) {
        defer {
            committedOffset = progress.nextOffset
            progress.quality = Quality()
        }
        return (progress, committedOffset)
    }
}
