import FlowEvents
import FunnelStore
import Funnels

/// What both a consumer and a report read.
struct PostgresStoreQueries {
    let connection: PostgresConnection
    let place: PostgresPlace

    /// What the store belongs to; `nil` where no consumer has opened it yet.
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
            throw place.damaged("the definition of a funnel cannot be read: \(error)")
        }
    }

    /// Whether the numbers of all events since the store's beginning are in it.
    func hasAllSequences() throws -> Bool {
        let result = try connection.execute("SELECT has_all_sequences FROM flow_funnels_identity")
        return result.rowCount == 0 || result.bool(0, 0)
    }

    /// How often the store's funnels were changed; `nil` where no consumer has opened it yet.
    func generation() throws -> Int64? {
        let result = try connection.execute("SELECT generation FROM flow_funnels_identity")
        return result.rowCount > 0 ? result.integer(0, 0) : nil
    }

    /// How far each partition has been taken in.
    func progress() throws -> [PartitionProgress] {
        let result = try connection.execute(
            """
            SELECT partition, next_offset, watermark, \(Quality.columnNames)
            FROM flow_funnels_partitions ORDER BY partition
            """
        )
        return (0..<result.rowCount).map { row in
            PartitionProgress(
                partition: Int32(truncatingIfNeeded: result.integer(row, 0)),
                nextOffset: result.integer(row, 1),
                watermark: result.optionalInteger(row, 2).map { Timestamp(milliseconds: $0) },
                quality: Quality { result.integer(row, Int32(3 + $0)) }
            )
        }
    }

    /// The rows of those of `installs` that have one.
    func installs(_ installs: [[UInt8]]) throws -> [StoredInstall] {
        let order = InstallOrder.indices(of: installs, by: { $0 })
        var rows: [StoredInstall] = []
        for start in stride(from: 0, to: order.count, by: Self.installsAtOnce) {
            let asked = order[start..<min(start + Self.installsAtOnce, order.count)].map { installs[$0] }
            let result = try connection.execute(
                """
                SELECT t.number, i.version, i.state
                FROM unnest($1::bytea[]) WITH ORDINALITY AS t(install, number)
                JOIN flow_funnels_installs i ON i.install = \(InstallKey.sql("t.install"))
                """,
                [.byteas(asked)]
            )
            for row in 0..<result.rowCount {
                let install = asked[Int(result.integer(row, 0)) - 1]
                rows.append(
                    StoredInstall(install: install, version: result.integer(row, 1), state: result.bytes(row, 2))
                )
            }
        }
        return rows
    }

    /// The first rows after an install's key, in the order of the keys, each with its key for an install.
    func installs(after key: [UInt8]?, limit: Int) throws -> [StoredInstall] {
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

    // libpq holds a whole result in memory.
    private static let installsAtOnce = 20_000
}
