import FunnelStore
import Funnels

/// The whole store as one read transaction sees it.
struct PostgresAudit: FunnelAudit {
    let queries: PostgresStoreQueries

    var summary: any SummarySource { PostgresSnapshot(queries: queries) }

    func identity() throws -> StoreIdentity? { try queries.identity() }

    func hasAllSequences() throws -> Bool { try queries.hasAllSequences() }

    func progress() throws -> [PartitionProgress] { try queries.progress() }

    func forEachInstall(known: some Sequence<[UInt8]>, _ body: (StoredInstall) throws -> Void) throws {
        let names = try hashedIDs(known)
        // libpq holds a whole result in memory, so the rows come in portions.
        let cursor = "flow_funnels_audit"
        try queries.connection.run(
            "DECLARE \(cursor) NO SCROLL CURSOR FOR SELECT install, version, state FROM flow_funnels_installs"
        )
        while true {
            let rows = try queries.connection.execute("FETCH \(Self.rowsAtOnce) FROM \(cursor)")
            for row in 0..<rows.rowCount {
                let key = rows.bytes(row, 0)
                let install = InstallKey.isHash(key) ? names[key] ?? key : key
                try body(StoredInstall(install: install, version: rows.integer(row, 1), state: rows.bytes(row, 2)))
            }
            if rows.rowCount < Self.rowsAtOnce { break }
        }
        // Not where something is thrown: what follows in that transaction is its end.
        try queries.connection.run("CLOSE \(cursor)")
    }

    /// Those of `known` that the store keeps by their hashes, by these.
    private func hashedIDs(_ known: some Sequence<[UInt8]>) throws -> [[UInt8]: [UInt8]] {
        var names: [[UInt8]: [UInt8]] = [:]
        for install in known where InstallKey.isHashed(install) {
            // One at a time: they are long, and rare.
            let key = try queries.connection.execute("SELECT \(InstallKey.sql("$1"))", [.bytea(install)])
            names[key.bytes(0, 0)] = install
        }
        return names
    }

    private static let rowsAtOnce = 2_000
}
