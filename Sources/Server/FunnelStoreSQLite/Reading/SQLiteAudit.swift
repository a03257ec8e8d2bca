import FunnelStore
import Funnels

/// The whole store as one read transaction sees it.
struct SQLiteAudit: FunnelAudit {
    let queries: SQLiteStoreQueries

    var summary: any SummarySource { SQLiteSnapshot(queries: queries) }

    func identity() throws -> StoreIdentity? { try queries.identity() }

    func hasAllSequences() throws -> Bool { try queries.hasAllSequences() }

    func progress() throws -> [PartitionProgress] { try queries.progress() }

    func forEachInstall(known: some Sequence<[UInt8]>, _ body: (StoredInstall) throws -> Void) throws {
        let statement = try StoreStatement(queries.connection, "SELECT install, version, state FROM installs")
        try statement.forEachRow { row in
            try body(StoredInstall(install: row.bytes(0), version: row.integer(1), state: row.bytes(2)))
        }
    }
}
