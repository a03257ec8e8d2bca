import FunnelStore
import Funnels

/// The whole store, as one read transaction sees it.
struct PostgresAudit: FunnelAudit, StoreView {
    let queries: PostgresStoreQueries

    var summary: any SummarySource { PostgresSnapshot(queries: queries) }

    func forEachCount(
        funnel: Int,
        byValue: Bool,
        _ body: (_ value: [UInt8]?, _ day: Day, _ count: OutcomeCount) throws -> Void
    ) throws {
        try queries.connection.forEachRow(
            """
            SELECT value, day, previous_gap, next_gap, outcome, actors FROM flow_funnels_result_counts
            WHERE funnel = $1 AND by_value = $2
            """,
            [.int4(Int32(funnel)), .bool(byValue)]
        ) { row in
            let count = try queries.location.outcomeCount(
                previousGap: row.integer(0, 2),
                nextGap: row.integer(0, 3),
                outcome: row.integer(0, 4),
                actors: row.integer(0, 5)
            )
            let day = Day(number: Int32(truncatingIfNeeded: row.integer(0, 1)))
            try body(byValue ? row.bytes(0, 0) : nil, day, count)
        }
    }
}
