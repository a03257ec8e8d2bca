import FunnelStore
import Funnels

/// The whole store, as one read transaction sees it.
struct PostgresAudit: FunnelAudit, StoreView {
    let queries: PostgresStoreQueries

    var summary: any SummarySource { PostgresSnapshot(queries: queries) }

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
}
