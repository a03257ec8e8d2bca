import FlowEvents
import FunnelTestSupport

@testable import Funnels

/// Two consumers with one partition each that share rows. Each may cache old versions of the other's rows.
struct RivalConsumers {
    private let bounds: FunnelBounds
    private var engines: [FunnelEngine]
    private var intakes: [PartitionIntake]
    private var committed: [Int32: PartitionProgress] = [:]
    private(set) var rows = SharedRows()

    init(funnels: [Funnel], bounds: FunnelBounds) {
        self.bounds = bounds
        engines = (0..<2).map { _ in FunnelEngine(funnels: funnels, bounds: bounds, timeZones: .random) }
        intakes = (0..<2).map {
            PartitionIntake(partition: $0, stored: nil, allowedLateness: bounds.allowedLateness)
        }
    }

    mutating func insert(_ record: FunnelOracle.Record) {
        let consumer = Int(record.partition)
        rows.taken.events += 1
        let offset = intakes[consumer].progress.nextOffset
        let isLate = !intakes[consumer].admit(
            time: record.event.time,
            recordTimestamp: record.timestamp,
            offset: offset
        )
        if isLate { rows.taken.late += 1 }
        EventFields.with(record.event, fields: engines[consumer].fields) {
            engines[consumer].insert($0, partition: record.partition, isLate: isLate)
        }
    }

    /// Commits the interval of one consumer and updates its horizon.
    mutating func commit(_ consumer: Int) throws {
        try rows.commit(&engines[consumer])
        committed[Int32(consumer)] = intakes[consumer].progress
        engines[consumer].counter.horizon = EvidenceHorizon.time(
            Array(committed.values),
            partitionCount: 2,
            allowedLateness: bounds.allowedLateness
        )
    }

    /// Prunes all rows with one consumer.
    mutating func sweep(_ consumer: Int) throws {
        try rows.prune(with: &engines[consumer])
    }
}
