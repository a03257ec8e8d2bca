public import FlowEvents

/// What has been read of one partition since the last commit, and which events of it are late.
///
/// Lateness is a matter of the partition's own order: the watermark is the greatest time of the valid events at lower
/// offsets, so the verdict on a record is the same however often it is read.
public struct PartitionIntake: Sendable {
    /// How far the partition has been read; its quality counts are those since the last commit.
    public private(set) var progress: PartitionProgress
    /// The next offset that the store has; `nil` where it knows nothing of the partition.
    public private(set) var committedOffset: Int64?
    private let allowedLateness: Int64

    /// Begins where a store stands.
    ///
    /// - Parameters:
    ///   - partition: the Kafka partition.
    ///   - stored: what the store has of it; `nil` for nothing.
    ///   - allowedLateness: how far behind the watermark an event may be, in milliseconds.
    public init(partition: Int32, stored: PartitionProgress?, allowedLateness: Int64) {
        progress = PartitionProgress(
            partition: partition,
            nextOffset: stored?.nextOffset ?? 0,
            watermark: stored?.watermark
        )
        committedOffset = stored?.nextOffset
        self.allowedLateness = allowedLateness
    }

    /// Whether there is something that the store does not have.
    ///
    /// That a partition has been begun at all is such a thing: what is deleted from it later was deleted unread.
    public var hasChanges: Bool { progress.nextOffset != committedOffset }

    /// Takes in a valid event.
    ///
    /// - Returns: whether it counts; `false` for one that is late.
    public mutating func admit(time: Timestamp, offset: Int64) -> Bool {
        progress.nextOffset = offset + 1
        progress.quality.events += 1
        guard let watermark = progress.watermark else {
            progress.watermark = time
            return true
        }
        if time > watermark {
            progress.watermark = time
            return true
        }
        // A lateness without bound must not overflow.
        let (bound, overflow) = watermark.milliseconds.subtractingReportingOverflow(allowedLateness)
        if !overflow, time.milliseconds < bound {
            progress.quality.late += 1
            return false
        }
        return true
    }

    /// Takes in a record that goes to the dead-letter topic.
    public mutating func addDeadLetter(offset: Int64) {
        progress.nextOffset = offset + 1
        progress.quality.deadLetters += 1
    }

    /// Moves on to `offset` without an event: before it there are no records for consumers, or the store does not want
    /// them.
    public mutating func skip(to offset: Int64) {
        progress.nextOffset = max(progress.nextOffset, offset)
    }

    /// Moves on to `offset`, the first that the broker still has: what lies before it was deleted unread, and is
    /// counted.
    public mutating func skipDeleted(to offset: Int64) {
        guard offset > progress.nextOffset else { return }
        progress.quality.unread += offset - progress.nextOffset
        progress.nextOffset = offset
    }

    /// What was taken in since the last time, which is to be committed now.
    public mutating func takeChanges() -> (progress: PartitionProgress, expectedOffset: Int64?) {
        defer {
            committedOffset = progress.nextOffset
            progress.quality = Quality()
        }
        return (progress, committedOffset)
    }
}
