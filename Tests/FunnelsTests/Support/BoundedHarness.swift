import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

/// A consumer of several partitions without a store or a broker: it detects late events, commits, prunes and restarts.
struct BoundedHarness {
    let bounds: FunnelBounds
    private(set) var engine: FunnelEngine
    private(set) var rows = SharedRows()
    private var partitions: [Int32: PartitionIntake] = [:]
    private var committed: [Int32: PartitionProgress] = [:]
    private let partitionCount: Int

    init(funnels: [Funnel], bounds: FunnelBounds, partitionCount: Int) {
        self.bounds = bounds
        self.partitionCount = partitionCount
        engine = FunnelEngine(funnels: funnels, bounds: bounds, timeZones: .random)
    }

    mutating func insert(_ record: FunnelOracle.Record) {
        rows.taken.events += 1
        var intake =
            partitions[record.partition]
            ?? PartitionIntake(
                partition: record.partition,
                stored: committed[record.partition],
                allowedLateness: bounds.allowedLateness
            )
        let isLate = !intake.admit(
            time: record.event.time,
            recordTimestamp: record.timestamp,
            offset: intake.progress.nextOffset
        )
        if isLate { rows.taken.late += 1 }
        EventFields.with(record.event, fields: engine.fields) {
            engine.insert($0, partition: record.partition, isLate: isLate)
        }
        partitions[record.partition] = intake
    }

    /// Inserts a copy of an event with its own id and time, much faster than ``insert(_:)``.
    mutating func insert(copyOf fields: EventFields, number: Int) {
        rows.taken.events += 1
        withUnsafeBytes(of: UInt64(number).bigEndian) { id in
            let copy = EventFields(
                id: id,
                source: fields.source,
                type: fields.type,
                time: Timestamp(milliseconds: fields.time.milliseconds + Int64(number)),
                installID: fields.installID,
                sessionID: fields.sessionID,
                sequence: fields.sequence,
                values: fields.values
            )
            engine.insert(copy, partition: 0)
        }
    }

    /// Commits and updates the horizon.
    mutating func commit() throws {
        try rows.commit(&engine)
        for (partition, intake) in partitions { committed[partition] = intake.progress }
        engine.counter.horizon = horizon
    }

    var horizon: Timestamp? {
        EvidenceHorizon.time(
            Array(committed.values),
            partitionCount: partitionCount,
            allowedLateness: bounds.allowedLateness
        )
    }

    /// Prunes all rows, as a pass over the store does.
    mutating func sweep() throws {
        try rows.prune(with: &engine)
    }

    /// Commits and restarts from the committed rows.
    mutating func restart() throws {
        try commit()
        engine = FunnelEngine(funnels: engine.funnels, bounds: bounds, timeZones: .random)
        partitions = [:]
    }

    /// The events in the evidence of all rows.
    func evidence() throws -> [MatchedEvent] {
        try rows.all.flatMap { try InstallContents($0, funnels: engine.funnels).events }
    }
}
