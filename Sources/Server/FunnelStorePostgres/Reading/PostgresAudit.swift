import FunnelStore
import Funnels

/// The whole store, as one read transaction sees it.
struct PostgresAudit: FunnelAudit, StoreView {
    let queries: PostgresStoreQueries

    var summary: any SummarySource { PostgresSnapshot(queries: queries) }

    func forEachInstall(_ body: (StoredInstall) throws -> Void) throws {
        // A cursor, so that the server's limit for a statement is one for a portion. The rows of an install follow each
        // other, because the subquery refers to it and so runs once for each install.
        let cursor = "flow_funnels_audit"
        try queries.connection.run(
            """
            DECLARE \(cursor) NO SCROLL CURSOR FOR
            SELECT i.install, r.number, r.version, r.state
            FROM flow_funnels_installs i CROSS JOIN LATERAL (
                SELECT NULL::bigint AS number, i.version AS version, i.state AS state
                UNION ALL
                SELECT h.number, 0, h.state FROM flow_funnels_history h WHERE h.install = i.install
            ) r
            """
        )
        var rows = InstallRows<[UInt8]>()
        var last: [UInt8]?
        while true {
            let count = try queries.connection.forEachRow("FETCH \(Self.rowsAtOnce) FROM \(cursor)") { row in
                let key = row.bytes(0, 0)
                if key != last {
                    try rows.joined().forEach(body)
                    rows = InstallRows()
                    last = key
                }
                if let number = row.optionalInteger(0, 1) {
                    rows.add(HistoryRow(number: number, state: row.bytes(0, 3)), at: key)
                } else {
                    let row = StoredInstall(install: key, version: row.integer(0, 2), state: row.bytes(0, 3))
                    rows.add(row, at: key)
                }
            }
            if count < Self.rowsAtOnce { break }
        }
        try rows.joined().forEach(body)
        // Not after an error, because the transaction then ends and with it the cursor.
        try queries.connection.run("CLOSE \(cursor)")
    }

    func funnelsWithOtherRows(among funnels: Range<Int>) throws -> [Int] {
        try ResultCount.funnelsWithOtherRows(among: funnels, in: summary) { funnel, byValue, body in
            try queries.connection.forEachRow(
                """
                SELECT value, day, previous_gap, next_gap, depth, actors FROM flow_funnels_result_counts
                WHERE funnel = $1 AND by_value = $2
                """,
                [.int4(Int32(funnel)), .bool(byValue)]
            ) { row in
                try body(
                    ResultCount(
                        funnel: funnel,
                        value: byValue ? row.bytes(0, 0) : nil,
                        day: Int32(clamping: row.integer(0, 1)),
                        previousGap: Int32(clamping: row.integer(0, 2)),
                        nextGap: Int32(clamping: row.integer(0, 3)),
                        depth: Int(row.integer(0, 4)),
                        actors: row.integer(0, 5)
                    )
                )
            }
        }
    }

    private static let rowsAtOnce = 2_000
}
