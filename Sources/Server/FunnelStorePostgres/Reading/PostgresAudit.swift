import FunnelStore
import Funnels

/// The whole store, as one read transaction sees it.
struct PostgresAudit: FunnelAudit, StoreView {
    let queries: PostgresStoreQueries

    var summary: any SummarySource { PostgresSnapshot(queries: queries) }

    func forEachInstall(known: some Sequence<[UInt8]>, _ body: (StoredInstall) throws -> Void) throws {
        let ids = try longIDs(known)
        // libpq keeps a whole result in memory, so the rows are read in portions.
        let cursor = "flow_funnels_audit"
        try queries.connection.run(
            "DECLARE \(cursor) NO SCROLL CURSOR FOR SELECT install, version, state FROM flow_funnels_installs"
        )
        while true {
            let rows = try queries.connection.execute("FETCH \(Self.rowsAtOnce) FROM \(cursor)")
            for row in 0..<rows.rowCount {
                let key = rows.bytes(row, 0)
                let install = InstallKey.isHash(key) ? ids[key] ?? key : key
                try body(StoredInstall(install: install, version: rows.integer(row, 1), state: rows.bytes(row, 2)))
            }
            if rows.rowCount < Self.rowsAtOnce { break }
        }
        // Not after an error, because the transaction then ends and with it the cursor.
        try queries.connection.run("CLOSE \(cursor)")
    }

    /// Returns the known ids whose keys are hashes, by their keys.
    private func longIDs(_ known: some Sequence<[UInt8]>) throws -> [[UInt8]: [UInt8]] {
        var ids: [[UInt8]: [UInt8]] = [:]
        for install in known where InstallKey.isHashed(install) { ids[try queries.key(of: install)] = install }
        return ids
    }

    private static let rowsAtOnce = 2_000
}
