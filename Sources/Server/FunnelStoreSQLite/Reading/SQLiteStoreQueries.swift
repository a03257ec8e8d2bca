import FlowEvents
import FunnelStore
import Funnels

/// The queries of consumers, reports and rebuilds.
struct SQLiteStoreQueries: StoreQueries {
    let connection: OpaquePointer
    let location: SQLiteStoreLocation

    func identity() throws -> StoreIdentity? {
        var identity: StoreIdentity?
        try SQLiteStatement(connection, "SELECT cluster_id, topic FROM identity").forEachRow { row in
            identity = StoreIdentity(clusterID: row.text(0), topic: row.text(1), funnels: [])
        }
        identity?.funnels = try funnels()
        return identity
    }

    func hasAllSequences() throws -> Bool {
        var result = true
        try SQLiteStatement(connection, "SELECT has_all_sequences FROM identity").forEachRow { row in
            result = row.integer(0) != 0
        }
        return result
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
        let columns = "partition, next_offset, watermark, \(QualityColumns.list)"
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
                    watermark: row.optionalInteger(2).map { Timestamp(milliseconds: $0) },
                    quality: QualityColumns.quality { row.integer(Int32(3 + $0)) }
                )
            )
        }
        return result
    }

    /// Returns the rows of the given installs, in the order of their bytes. An install without a row is left out.
    func installs(_ installs: [[UInt8]]) throws -> [StoredInstall] {
        let statement = try SQLiteStatement(connection, "SELECT version, state FROM installs WHERE install = ?")
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

    func stream() throws -> StreamState { StreamState(partitions: try progress()) }

    func installs(after install: [UInt8]?, limit: Int, history: HistoryPart) throws -> [StoredInstall] {
        // A row's install may be empty, so the first portion must include it.
        let statement = try SQLiteStatement(
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

    /// Returns whether any install has a row.
    func hasInstalls() throws -> Bool {
        var result = false
        let statement = try SQLiteStatement(connection, "SELECT EXISTS (SELECT 1 FROM installs)")
        try statement.forEachRow { result = $0.integer(0) != 0 }
        return result
    }
}
