import FlowEvents
import FunnelStore
import Funnels

/// The queries of consumers, reports and rebuilds.
struct SQLiteStoreQueries: StoreQueries {
    let connection: OpaquePointer
    let location: SQLiteStoreLocation
    /// The rows whose newest states are in the log.
    var logged = LoggedRows()

    var log: SQLiteRowLog { SQLiteRowLog(connection: connection, location: location) }

    func identity() throws -> StoreIdentity? {
        var identity: StoreIdentity?
        try SQLiteStatement(connection, "SELECT cluster_id, topic, topic_id FROM identity").forEachRow { row in
            identity = StoreIdentity(
                clusterID: row.text(0),
                topic: row.text(1),
                topicID: row.optionalText(2),
                funnels: []
            )
        }
        let funnels = try funnels()
        identity?.funnels = funnels
        identity?.timeZones = try keptTimeZones(of: funnels)
        return identity
    }

    func generation() throws -> Int64? {
        var result: Int64?
        try SQLiteStatement(connection, "SELECT generation FROM identity").forEachRow { result = $0.integer(0) }
        return result
    }

    private func funnels() throws -> [Funnel] {
        var definitions: [String] = []
        try SQLiteStatement(connection, "SELECT definition FROM funnels ORDER BY position").forEachRow { row in
            definitions.append(row.text(0))
        }
        do {
            return try definitions.flatMap { try FunnelDefinitions.decode($0) }
        } catch {
            throw location.damaged("the definition of a funnel cannot be read: \(error)")
        }
    }

    func progress() throws -> [PartitionProgress] {
        let columns =
            "partition, next_offset, floor, watermark, is_at_end, last_offset, last_timestamp, last_checksum, "
            + QualityColumns.list
        let statement = try SQLiteStatement(connection, "SELECT \(columns) FROM partitions ORDER BY partition")
        var result: [PartitionProgress] = []
        try statement.forEachRow { row in
            guard let partition = Int32(exactly: row.integer(0)) else {
                throw location.damaged("a partition has the number \(row.integer(0))")
            }
            result.append(
                PartitionProgress(
                    partition: partition,
                    nextOffset: row.integer(1),
                    floor: row.optionalInteger(2).map { Timestamp(milliseconds: $0) },
                    watermark: row.optionalInteger(3).map { Timestamp(milliseconds: $0) },
                    isAtEnd: row.integer(4) != 0,
                    lastRecord: RecordMark(
                        offset: row.optionalInteger(5),
                        timestamp: row.optionalInteger(6),
                        checksum: row.optionalInteger(7)
                    ),
                    quality: QualityColumns.quality { row.integer(Int32(8 + $0)) }
                )
            )
        }
        return result
    }

    func partitionReads() throws -> [Int32: Timestamp] {
        var reads: [Int32: Timestamp] = [:]
        let sql = "SELECT partition, read_at FROM partitions WHERE read_at IS NOT NULL"
        try SQLiteStatement(connection, sql).forEachRow { row in
            reads[Int32(truncatingIfNeeded: row.integer(0))] = Timestamp(milliseconds: row.integer(1))
        }
        return reads
    }

    func topicProgress() throws -> TopicProgress {
        var state = TopicProgress(partitions: try progress())
        let facts = try SQLiteStatement(connection, "SELECT partition_count, greatest_lateness, horizon FROM identity")
        try facts.forEachRow { row in
            state.partitionCount = row.optionalInteger(0).map { Int32(clamping: $0) }
            state.greatestLateness = row.optionalInteger(1)
            state.horizon = row.optionalInteger(2).map { Timestamp(milliseconds: $0) }
        }
        return state
    }

    func timeZone(_ name: String) throws -> [UInt8]? {
        var result: [UInt8]?
        let statement = try SQLiteStatement(
            connection,
            "SELECT transitions FROM time_zones WHERE name = CAST(? AS TEXT)"
        )
        try statement.withBlob(Array(name.utf8), at: 1) {
            try statement.forEachRow { result = $0.bytes(0) }
        }
        return result
    }

    func setTimeZone(_ name: String, _ transitions: [UInt8]) throws {
        let statement = try SQLiteStatement(
            connection,
            "INSERT OR REPLACE INTO time_zones(name, transitions) VALUES (CAST(?1 AS TEXT), ?2)"
        )
        try statement.withBlob(Array(name.utf8), at: 1) {
            try statement.withBlob(transitions, at: 2) { _ = try statement.run() }
        }
    }

    /// Returns whether any install has a row.
    func hasInstalls() throws -> Bool {
        var result = false
        let statement = try SQLiteStatement(connection, "SELECT EXISTS (SELECT 1 FROM installs)")
        try statement.forEachRow { result = $0.integer(0) != 0 }
        return result
    }
}
