import FlowEvents
import FunnelStore
import Funnels

/// The queries of consumers, reports and rebuilds.
struct PostgresStoreQueries: StoreQueries {
    let connection: PostgresConnection
    let location: PostgresStoreLocation

    func identity() throws -> StoreIdentity? {
        let row = try connection.execute("SELECT cluster_id, topic, topic_id FROM flow_funnels_identity")
        guard row.rowCount > 0 else { return nil }
        let funnels = try connection.execute("SELECT definition FROM flow_funnels_funnels ORDER BY position")
        do {
            var identity = StoreIdentity(
                clusterID: row.text(0, 0),
                topic: row.text(0, 1),
                topicID: row.optionalText(0, 2),
                funnels: try (0..<funnels.rowCount).flatMap { try FunnelDefinitions.decode(funnels.text($0, 0)) }
            )
            identity.timeZones = try keptTimeZones(of: identity.funnels)
            return identity
        } catch let error as StoredDefinitionsError {
            throw location.damaged("the definition of a funnel cannot be read: \(error)")
        }
    }

    func generation() throws -> Int64? {
        // Every transaction that writes or reports asks for the generation. A newer program may have changed the tables
        // since this one has connected.
        let result = try connection.execute(
            "SELECT i.generation, s.version FROM flow_funnels_identity i CROSS JOIN flow_funnels_store s"
        )
        guard result.rowCount > 0 else { return nil }
        try location.checkIsKnown(result.integer(0, 1), known: PostgresSchema.version, removal: PostgresSchema.removal)
        return result.integer(0, 0)
    }

    func progress() throws -> [PartitionProgress] {
        let result = try connection.execute(
            """
            SELECT partition, next_offset, floor, watermark, is_at_end, last_offset, last_timestamp, last_checksum,
                \(QualityColumns.list)
            FROM flow_funnels_partitions ORDER BY partition
            """
        )
        return (0..<result.rowCount).map { row in
            PartitionProgress(
                partition: Int32(truncatingIfNeeded: result.integer(row, 0)),
                nextOffset: result.integer(row, 1),
                floor: result.optionalInteger(row, 2).map { Timestamp(milliseconds: $0) },
                watermark: result.optionalInteger(row, 3).map { Timestamp(milliseconds: $0) },
                isAtEnd: result.bool(row, 4),
                lastRecord: RecordMark(
                    offset: result.optionalInteger(row, 5),
                    timestamp: result.optionalInteger(row, 6),
                    checksum: result.optionalInteger(row, 7)
                ),
                quality: QualityColumns.quality { result.integer(row, Int32(8 + $0)) }
            )
        }
    }

    func partitionReads() throws -> [Int32: Timestamp] {
        let result = try connection.execute(
            "SELECT partition, read_at FROM flow_funnels_partitions WHERE read_at IS NOT NULL"
        )
        return (0..<result.rowCount).reduce(into: [:]) { reads, row in
            reads[Int32(truncatingIfNeeded: result.integer(row, 0))] = Timestamp(milliseconds: result.integer(row, 1))
        }
    }

    func topicProgress() throws -> TopicProgress {
        var state = TopicProgress(partitions: try progress())
        let result = try connection.execute(
            "SELECT partition_count, greatest_lateness, horizon FROM flow_funnels_identity"
        )
        guard result.rowCount > 0 else { return state }
        state.partitionCount = result.optionalInteger(0, 0).map { Int32(clamping: $0) }
        state.greatestLateness = result.optionalInteger(0, 1)
        state.horizon = result.optionalInteger(0, 2).map { Timestamp(milliseconds: $0) }
        return state
    }

    /// Returns the horizon, which does not change until the transaction ends.
    ///
    /// - Parameter strength: `SHARE` to add partitions, which others may do, too; `UPDATE` to raise the horizon.
    func lockHorizon(for strength: String) throws -> Timestamp? {
        let result = try connection.execute("SELECT horizon FROM flow_funnels_identity FOR \(strength)")
        guard result.rowCount > 0 else { return nil }
        return result.optionalInteger(0, 0).map { Timestamp(milliseconds: $0) }
    }

    func timeZone(_ name: String) throws -> [UInt8]? {
        let result = try connection.execute(
            "SELECT transitions FROM flow_funnels_time_zones WHERE name = $1",
            [.text(name)]
        )
        return result.rowCount > 0 ? result.bytes(0, 0) : nil
    }

    func setTimeZone(_ name: String, _ transitions: [UInt8]) throws {
        try connection.execute(
            """
            INSERT INTO flow_funnels_time_zones(name, transitions) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET transitions = excluded.transitions
            """,
            [.text(name), .bytea(transitions)]
        )
    }
}
