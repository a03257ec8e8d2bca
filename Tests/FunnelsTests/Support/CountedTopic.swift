import FlowEvents
import FunnelStore
import FunnelStoreSQLite
import FunnelStoreTestSupport
import FunnelTestSupport
import Testing

@testable import FunnelConsumer
@testable import Funnels

/// Consumers without a broker or a clock: they take records in, and commit them to a real store in a temporary folder.
///
/// ```swift
/// var topic = try CountedTopic(funnels: funnels)
/// for event in events { try topic.insert(event) }
/// try topic.commit()
/// let report = try FunnelReport.figures(from: topic, funnels: funnels)
/// ```
///
/// A report from it has no states of days: they depend on partitions, which have tests of their own.
struct CountedTopic: PartialSummary {
    private let store = TemporaryStore()
    private let reader: SQLiteFunnelReader
    let funnels: [Funnel]
    private let bounds: FunnelBounds
    private let partitionCount: Int?
    private let installsAtOnce: Int
    private var consumers: [TopicConsumer]
    // By partition. A restart reads those again that are not committed.
    private var records: [Int32: [FunnelOracle.Record]] = [:]

    /// - Parameters:
    ///   - partitionCount: the number of partitions; with `nil` no evidence is removed.
    ///   - consumerCount: the number of consumers that share the partitions.
    ///   - installsAtOnce: the greatest number of installs that a commit does not write in batches.
    init(
        funnels: [Funnel],
        bounds: FunnelBounds = FunnelBounds(),
        partitionCount: Int? = nil,
        consumerCount: Int = 1,
        installsAtOnce: Int = 16_384
    ) throws {
        self.funnels = funnels
        self.bounds = bounds
        self.partitionCount = partitionCount
        self.installsAtOnce = installsAtOnce
        consumers = []
        var identity = StoreIdentity(clusterID: "c", topic: "t", funnels: funnels)
        identity.timeZones = .random
        #expect(try store.open(identity).isEmpty)
        reader = try SQLiteFunnelReader(path: store.path)
        for _ in 0..<consumerCount { consumers.append(try makeConsumer(isNew: true)) }
    }

    /// - Parameter eventsPerBlock: the size of the blocks of an install's history.
    init(funnels: [Funnel], eventsPerBlock: Int, installsAtOnce: Int = 16_384) throws {
        var bounds = FunnelBounds()
        bounds.eventsPerBlock = eventsPerBlock
        try self.init(funnels: funnels, bounds: bounds, installsAtOnce: installsAtOnce)
    }

    private func makeConsumer(isNew: Bool) throws -> TopicConsumer {
        TopicConsumer(
            intake: RecordIntake(funnels: funnels, allowedLateness: bounds.allowedLateness),
            committer: Committer(
                store: store,
                funnels: funnels,
                bounds: bounds,
                timeZones: try store.timeZones(of: funnels),
                partitionCount: partitionCount,
                isNew: isNew,
                installsAtOnce: installsAtOnce
            )
        )
    }

    /// Takes in an event of partition 0.
    mutating func insert(_ event: Event) throws {
        try insert(FunnelOracle.Record(event))
    }

    /// Takes in a record. The partition's consumer reads it.
    mutating func insert(_ record: FunnelOracle.Record) throws {
        let consumer = consumer(of: record.partition)
        if consumers[consumer].intake.position(of: record.partition) == nil {
            try assign(record.partition, to: consumer)
        }
        let offset = records[record.partition]?.count ?? 0
        records[record.partition, default: []].append(record)
        try consumers[consumer].take(record, offset: offset)
    }

    private func consumer(of partition: Int32) -> Int { Int(partition) % consumers.count }

    /// Reads a partition from the store's offset on.
    private mutating func assign(_ partition: Int32, to consumer: Int) throws {
        let stored = try store.progress().first { $0.partition == partition }
        consumers[consumer].intake.assign(partition, stored: stored, horizon: try store.horizon())
        let records = records[partition] ?? []
        for offset in Int(stored?.nextOffset ?? 0)..<records.count {
            try consumers[consumer].take(records[offset], offset: offset)
        }
    }

    /// Commits what a consumer has read, and removes old evidence where that is due.
    mutating func commit(_ consumer: Int = 0) throws {
        let advances = consumers[consumer].intake.takeAdvances()
        let interval = consumers[consumer].intake.takeInterval()
        #expect(try consumers[consumer].committer.commit(interval, advances) == nil)
    }

    /// Restarts a consumer, which loses what it has read and not committed, and reads it again.
    mutating func restart(_ consumer: Int = 0) throws {
        consumers[consumer] = try makeConsumer(isNew: false)
        for partition in records.keys.sorted() where self.consumer(of: partition) == consumer {
            try assign(partition, to: consumer)
        }
    }

    /// Commits, and removes all evidence that is past by now, as a consumer does once a day and after a restart.
    mutating func sweep(_ consumer: Int = 0) throws {
        try restart(consumer)
        try commit(consumer)
    }

    /// The counter of the first consumer.
    var counter: FunnelCounter { consumers[0].committer.counter }

    /// How often all of an install's history was read.
    var historyReadCount: Int { store.historyReadCount }

    /// The writes of the last commit.
    var written: [InstallWrite] { store.written }

    /// The time before which evidence may have been removed.
    func horizon() throws -> Timestamp? { try store.horizon() }

    /// All rows with all of their history, in order of the install.
    func rows() throws -> [StoredInstall] {
        let rows = try store.installs(after: nil, limit: RowLimit(rowCount: .max, byteCount: .max))
        return try store.installs(rows.map(\.install), history: .all).sorted {
            $0.install.lexicographicallyPrecedes($1.install)
        }
    }

    /// What the rows hold, in order of the install.
    func contents() throws -> [InstallContents] { try rows().map { try InstallContents($0, funnels: funnels) } }

    // MARK: The summary, of which reports are made

    func quality() throws -> Quality { try reader.withSnapshot { try $0.quality() } }

    func timeZones(of funnels: [Funnel]) throws -> TimeZoneTables { try store.timeZones(of: funnels) }

    func forEachCount(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: ([UInt8]?, Outcome, Int64) throws -> Void
    ) throws {
        try reader.withSnapshot { try $0.forEachCount(funnel: funnel, byValue: byValue, in: days, body) }
    }

    func entryDays(funnel: Int, in days: DayRange) throws -> ClosedRange<Day>? {
        try reader.withSnapshot { try $0.entryDays(funnel: funnel, in: days) }
    }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: ([UInt8]?, Day, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try reader.withSnapshot {
            try $0.forEachSegment(funnel: funnel, byValue: byValue, in: days, body)
        }
    }
}

/// What a consumer does between a broker and a store.
private struct TopicConsumer {
    var intake: RecordIntake
    var committer: Committer

    mutating func take(_ record: FunnelOracle.Record, offset: Int) throws {
        let violation = try record.event.encoded().withUnsafeBytes {
            intake.take($0, timestamp: record.timestamp, partition: record.partition, offset: Int64(offset))
        }
        #expect(violation == nil)
    }
}
