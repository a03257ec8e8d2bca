import FlowEvents
import FunnelStore
import Funnels

/// The queries of consumers, reports and rebuilds.
struct PostgresStoreQueries: StoreQueries {
    let connection: PostgresConnection
    let location: PostgresStoreLocation

    func identity() throws -> StoreIdentity? {
        let identity = try connection.execute("SELECT cluster_id, topic FROM flow_funnels_identity")
        guard identity.rowCount > 0 else { return nil }
        let funnels = try connection.execute("SELECT definition FROM flow_funnels_funnels ORDER BY position")
        do {
            return StoreIdentity(
                clusterID: identity.text(0, 0),
                topic: identity.text(0, 1),
                funnels: try (0..<funnels.rowCount).flatMap { try FunnelDefinitions.decode(funnels.text($0, 0)) }
            )
        } catch {
            throw location.damaged("the definition of a funnel cannot be read: \(error)")
        }
    }

    func hasAllSequences() throws -> Bool {
        let result = try connection.execute("SELECT has_all_sequences FROM flow_funnels_identity")
        return result.rowCount == 0 || result.bool(0, 0)
    }

    func generation() throws -> Int64? {
        // Every transaction that writes or reports asks for the generation. A newer consumer may have brought the store
        // up to date since this program has connected.
        let result = try connection.execute(
            "SELECT i.generation, s.version FROM flow_funnels_identity i CROSS JOIN flow_funnels_schema s"
        )
        guard result.rowCount > 0 else { return nil }
        try location.checkIsKnown(result.integer(0, 1), known: PostgresSchema.version)
        return result.integer(0, 0)
    }

    func progress() throws -> [PartitionProgress] {
        let result = try connection.execute(
            """
            SELECT partition, next_offset, watermark, \(QualityColumns.list)
            FROM flow_funnels_partitions ORDER BY partition
            """
        )
        return (0..<result.rowCount).map { row in
            PartitionProgress(
                partition: Int32(truncatingIfNeeded: result.integer(row, 0)),
                nextOffset: result.integer(row, 1),
                watermark: result.optionalInteger(row, 2).map { Timestamp(milliseconds: $0) },
                quality: QualityColumns.quality { result.integer(row, Int32(3 + $0)) }
            )
        }
    }

    /// Returns the rows of the given installs, in any order. An install without a row is left out.
    func installs(_ installs: [[UInt8]]) throws -> [StoredInstall] {
        let order = InstallOrder.indices(of: installs, by: { $0 })
        var rows: [StoredInstall] = []
        for start in stride(from: 0, to: order.count, by: Self.installsAtOnce) {
            let wanted = order[start..<min(start + Self.installsAtOnce, order.count)].map { installs[$0] }
            let result = try connection.execute(
                """
                SELECT t.number, i.version, i.state
                FROM unnest($1::bytea[]) WITH ORDINALITY AS t(install, number)
                JOIN flow_funnels_installs i ON i.install = \(InstallKey.sql("t.install"))
                """,
                [.byteas(wanted)]
            )
            for row in 0..<result.rowCount {
                let install = wanted[Int(result.integer(row, 0)) - 1]
                rows.append(
                    StoredInstall(install: install, version: result.integer(row, 1), state: result.bytes(row, 2))
                )
            }
        }
        return rows
    }

    func stream() throws -> StreamState { StreamState(partitions: try progress()) }

    func installs(after key: [UInt8]?, limit: Int, history: HistoryPart) throws -> [StoredInstall] {
        // The install of a row may be empty, so the first portion must include it.
        let result = try connection.execute(
            """
            SELECT install, version, state FROM flow_funnels_installs
            WHERE install \(key == nil ? ">=" : ">") $1 ORDER BY install LIMIT $2
            """,
            [.bytea(key ?? []), .int8(Int64(limit))]
        )
        return (0..<result.rowCount).map { row in
            StoredInstall(
                install: result.bytes(row, 0),
                version: result.integer(row, 1),
                state: result.bytes(row, 2)
            )
        }
    }

    /// Returns the key of an install's row, whether or not the install has a row.
    func key(of install: [UInt8]) throws -> [UInt8] {
        guard InstallKey.isHashed(install) else { return install }
        return try connection.execute("SELECT \(InstallKey.sql("$1"))", [.bytea(install)]).bytes(0, 0)
    }

    // libpq keeps a whole result in memory.
    private static let installsAtOnce = 20_000
}
