import FlowEvents
import FunnelStore
import Funnels

/// What both a consumer and a report read.
struct SQLiteStoreQueries {
    let connection: OpaquePointer
    let place: StorePlace

    /// What the store belongs to; `nil` where no consumer has opened it yet.
    func identity() throws -> StoreIdentity? {
        var identity: StoreIdentity?
        try StoreStatement(connection, "SELECT cluster_id, topic FROM identity").forEachRow { row in
            identity = StoreIdentity(clusterID: row.text(0), topic: row.text(1), funnels: [])
        }
        identity?.funnels = try funnels()
        return identity
    }

    /// Whether the numbers of all events since the store's beginning are in it.
    func hasAllSequences() throws -> Bool {
        var result = true
        try StoreStatement(connection, "SELECT has_all_sequences FROM identity").forEachRow { row in
            result = row.integer(0) != 0
        }
        return result
    }

    /// How often the store's funnels were changed; `nil` where no consumer has opened it yet.
    func generation() throws -> Int64? {
        var result: Int64?
        try StoreStatement(connection, "SELECT generation FROM identity").forEachRow { result = $0.integer(0) }
        return result
    }

    private func funnels() throws -> [Funnel] {
        var definitions: [String] = []
        try StoreStatement(connection, "SELECT definition FROM funnels ORDER BY position").forEachRow { row in
            definitions.append(row.text(0))
        }
        do {
            return try definitions.flatMap { try FunnelDefinitions.decode($0) }
        } catch {
            throw place.damaged("the definition of a funnel cannot be read: \(error)")
        }
    }

    /// How far each partition has been taken in.
    func progress() throws -> [PartitionProgress] {
        let columns = "partition, next_offset, watermark, \(Quality.columnNames)"
        let statement = try StoreStatement(connection, "SELECT \(columns) FROM partitions ORDER BY partition")
        var result: [PartitionProgress] = []
        try statement.forEachRow { row in
            guard let partition = Int32(exactly: row.integer(0)) else {
                throw place.damaged("a partition has the number \(row.integer(0))")
            }
            result.append(
                PartitionProgress(
                    partition: partition,
                    nextOffset: row.integer(1),
                    watermark: row.optionalInteger(2).map { Timestamp(milliseconds: $0) },
                    quality: Quality { row.integer(Int32(3 + $0)) }
                )
            )
        }
        return result
    }

    /// The rows of those of `installs` that have one.
    func installs(_ installs: [[UInt8]]) throws -> [StoredInstall] {
        let statement = try StoreStatement(connection, "SELECT version, state FROM installs WHERE install = ?")
        var result: [StoredInstall] = []
        for index in InstallOrder.indices(of: installs, by: { $0 }) {
            let install = installs[index]
            try statement.withBlob(install, at: 1) {
                try statement.forEachRow { row in
                    result.append(StoredInstall(install: install, version: row.integer(0), state: row.bytes(1)))
                }
            }
        }
        return result
    }

    /// The first rows after an install, in the order of their bytes.
    func installs(after install: [UInt8]?, limit: Int) throws -> [StoredInstall] {
        // An id is never empty, but a row's could be: with none before, the first row is among them.
        let statement = try StoreStatement(
            connection,
            """
            SELECT install, version, state FROM installs WHERE install \(install == nil ? ">=" : ">") ?1
            ORDER BY install LIMIT ?2
            """
        )
        try statement.bind(Int64(limit), at: 2)
        var result: [StoredInstall] = []
        try statement.withBlob(install ?? [], at: 1) {
            try statement.forEachRow { row in
                result.append(StoredInstall(install: row.bytes(0), version: row.integer(1), state: row.bytes(2)))
            }
        }
        return result
    }

    /// Whether any install has a row.
    func hasInstalls() throws -> Bool {
        var result = false
        let statement = try StoreStatement(connection, "SELECT EXISTS (SELECT 1 FROM installs)")
        try statement.forEachRow { result = $0.integer(0) != 0 }
        return result
    }
}
