import FlowEvents
import FunnelStore
import Funnels

/// Counts a topic again, in memory, for a verification or a rebuild.
///
/// A record is valid, late or invalid by the consumer's rules, so it counts as it did in the store. There is one exception:
/// if the beginning of a partition is lost, an event that was late may count. Such an event is of a day before
/// ``firstComparableDay``.
struct TopicReplay {
    private struct Partition {
        /// The partition's watermark in the store.
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

    /// The store that has the counts.
    let store = MemoryFunnelStore()
    /// The number of records that were counted.
    private(set) var recordCount = 0
    private var committer: Committer
    private var intake: RecordIntake
    private var partitions: [Int32: Partition] = [:]
    private let from: Timestamp?
    /// The transitions by which the funnels' days are counted.
    let timeZones: TimeZoneTables
    // The funnels' time zones.
    private let tables: [TimeZoneTable]
    private let byteLimit = 32 * 1024 * 1024

    /// - Parameters:
    ///   - identity: the store's identity, with the funnels to count.
    ///   - bounds: the consumer's lateness, with no limit for the cache.
    ///   - from: leaves out each partition's records before the first with this timestamp or a later one.
    init(_ identity: StoreIdentity, bounds: FunnelBounds, from: Timestamp?) throws(StoreError) {
        self.from = from
        timeZones = identity.timeZones
        tables = identity.funnels.map { identity.timeZones.table(of: $0) }
        intake = RecordIntake(funnels: identity.funnels, allowedLateness: bounds.allowedLateness)
        // The cache shares the rows with the memory store.
        committer = Committer(
            store: store,
            funnels: identity.funnels,
            bounds: bounds,
            timeZones: identity.timeZones,
            isNew: true
        )
        _ = try store.open(identity)
    }

    /// Starts a partition, unless it has started.
    ///
    /// - Parameters:
    ///   - partition: the partition.
    ///   - offset: the first offset that the topic still has.
    ///   - stored: the store's progress in the partition.
    mutating func start(_ partition: Int32, at offset: Int64, _ stored: PartitionProgress) {
        guard partitions[partition] == nil else { return }
        partitions[partition] = Partition(watermark: stored.watermark, hasLostBeginning: offset > 0)
        // By the floor the events are late that were late in the store.
        intake.assign(partition, stored: nil, horizon: stored.floor)
        intake.begin(partition, at: offset)
    }

    /// The offset of the next record of a partition.
    func position(_ partition: Int32) -> Int64 {
        intake.position(of: partition) ?? 0
    }

    /// Moves a partition on to an offset. There are no records before it.
    mutating func skip(_ partition: Int32, to offset: Int64) {
        intake.skip(partition, to: offset)
    }

    /// Moves a partition on to the end of a batch that cannot be read, and counts its records as unread.
    mutating func skipUnread(_ partition: Int32, from first: Int64, to offset: Int64) {
        intake.skip(partition, to: first)
        intake.skipUnread(partition, to: offset)
    }

    /// Counts one record.
    ///
    /// - Throws: the errors of the memory store.
    mutating func count(
        _ value: UnsafeRawBufferPointer,
        timestamp: Timestamp?,
        partition: Int32,
        offset: Int64
    ) throws {
        if partitions[partition]?.hasStarted == false {
            if let from, let timestamp, timestamp < from {
                partitions[partition]?.hasLostBeginning = true
                return intake.skip(partition, to: offset + 1)
            }
            partitions[partition]?.hasStarted = true
            partitions[partition]?.firstTimestamp = timestamp
        }
        recordCount += 1
        _ = intake.take(value, timestamp: timestamp, partition: partition, offset: offset)
        if intake.pending.byteCount >= byteLimit { try settle() }
    }

    /// Computes the results of the records counted so far.
    mutating func settle() throws {
        guard intake.hasChanges else { return }
        // Nothing else writes to this store, so the commit cannot be fenced.
        _ = try committer.commit(intake.takeInterval(), intake.takeAdvances())
    }

    /// Takes installs out of the funnels, because the store has found too many events of them. The topic may have lost some
    /// of those events.
    mutating func cap(_ installs: [[UInt8]]) throws { try committer.cap(installs) }

    /// The first day of which the topic has all events; `nil` if it has every event.
    var firstComparableDay: Day? {
        guard let bound = partitions.values.compactMap(\.lostEventBound).max() else { return nil }
        let last = tables.map { $0.day(of: bound) }.max() ?? Day(containing: bound)
        return Day(number: last.number + 1)
    }

    /// Whether every record that was ever in the topic was counted.
    var isComplete: Bool { !partitions.values.contains(where: \.hasLostBeginning) }
}
