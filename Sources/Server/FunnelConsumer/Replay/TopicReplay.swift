import FlowEvents
import FunnelStore
import Funnels

/// Counts a topic once more, in memory, for comparing with a store.
///
/// The rules are the consumer's, so a record gets the verdict (late, dead) that it got there. Only where the beginning
/// of a partition is gone may an event pass that was late: one that is older than what is gone, and so of a day before
/// ``firstComparableDay``.
struct TopicReplay {
    private struct Part {
        /// The greatest `time` that the store has seen in the partition.
        let watermark: Timestamp?
        var isBeginningGone: Bool
        var hasBegun = false
        var firstTimestamp: Timestamp?

        /// The greatest `time` that an event before the first record can have; `nil` where there is none.
        var missingBound: Timestamp? {
            guard isBeginningGone, let watermark else { return nil }
            guard let firstTimestamp else { return watermark }
            // An event that is further ahead of its record's timestamp is a dead letter.
            return min(watermark, Timestamp(milliseconds: firstTimestamp.milliseconds + 24 * 3_600_000))
        }
    }

    /// The counts.
    let store = MemoryFunnelStore()
    /// How many records were counted.
    private(set) var recordCount = 0
    private var committer: Committer
    private var intake: RecordIntake
    private var parts: [Int32: Part] = [:]
    private let from: Timestamp?
    private let byteLimit = 32 * 1024 * 1024

    /// - Parameters:
    ///   - bounds: the consumer's lateness, and no bound to what is held.
    ///   - from: each partition's records before the first with this timestamp or a later one are left out.
    init(_ identity: StoreIdentity, bounds: FunnelBounds, from: Timestamp?) throws(StoreError) {
        self.from = from
        intake = RecordIntake(funnels: identity.funnels, allowedLateness: bounds.allowedLateness)
        // All rows stay in the memory store, and are the cache's at the same time.
        committer = Committer(
            store: store,
            funnels: identity.funnels,
            bounds: bounds,
            isNew: true
        )
        _ = try store.open(identity)
    }

    /// Begins a partition.
    ///
    /// - Parameters:
    ///   - offset: the first that the topic still has.
    ///   - watermark: the store's.
    mutating func begin(_ partition: Int32, at offset: Int64, watermark: Timestamp?) {
        guard parts[partition] == nil else { return }
        parts[partition] = Part(watermark: watermark, isBeginningGone: offset > 0)
        intake.assign(partition, stored: nil)
        intake.skip(partition, to: offset)
    }

    /// The offset of the next record of a partition.
    func position(_ partition: Int32) -> Int64 {
        intake.position(of: partition) ?? 0
    }

    /// Moves on to an offset: there are no records before it.
    mutating func skip(_ partition: Int32, to offset: Int64) {
        intake.skip(partition, to: offset)
    }

    /// Takes in one record.
    ///
    /// - Throws: what the memory store throws.
    mutating func take(
        _ value: UnsafeRawBufferPointer,
        timestamp: Timestamp?,
        partition: Int32,
        offset: Int64
    ) throws {
        if parts[partition]?.hasBegun == false {
            if let from, let timestamp, timestamp < from {
                parts[partition]?.isBeginningGone = true
                return intake.skip(partition, to: offset + 1)
            }
            parts[partition]?.hasBegun = true
            parts[partition]?.firstTimestamp = timestamp
        }
        recordCount += 1
        _ = intake.take(value, timestamp: timestamp, partition: partition, offset: offset)
        if intake.pendingByteCount >= byteLimit { try settle() }
    }

    /// Works out what was taken in.
    mutating func settle() throws {
        guard intake.hasChanges else { return }
        // Nobody else writes a store of its own, so nothing can be fenced.
        _ = try committer.commit(intake.takeInterval(), intake.takeAdvances())
    }

    /// Takes installs out of the funnels that the store has found to have too many events, some of which the topic no
    /// longer has.
    mutating func cap(_ installs: [[UInt8]]) throws { try committer.cap(installs) }

    /// The first day whose events are all there; `nil` where every event is.
    var firstComparableDay: Day? {
        parts.values.compactMap(\.missingBound).max().map { Day(number: Day(containing: $0).number + 1) }
    }

    /// Whether every record that the partitions ever had was counted.
    var isComplete: Bool { !parts.values.contains(where: \.isBeginningGone) }
}
