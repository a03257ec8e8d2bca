import FunnelStore
import Funnels

/// The summary, as one read transaction sees it.
struct PostgresSnapshot: SummarySource, StoreView {
    let queries: PostgresStoreQueries

    func stream() throws -> StreamState { try queries.stream() }

    func firstCompleteDay(of funnel: String) throws -> Day? {
        let result = try queries.connection.execute(
            "SELECT first_day FROM flow_funnels_beginnings WHERE funnel = $1",
            [.text(funnel)]
        )
        return result.rowCount > 0 ? Day(number: Int32(truncatingIfNeeded: result.integer(0, 0))) : nil
    }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        from: Day?,
        to: Day?,
        _ body: (_ value: [UInt8]?, _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let result = try queries.connection.execute(
            """
            SELECT day, value, attempts FROM flow_funnels_segments
            WHERE funnel = $1 AND by_value = $2 AND day BETWEEN $3 AND $4
            """,
            [
                .int4(Int32(funnel)), .bool(byValue), .int4(from?.number ?? .min), .int4(to?.number ?? .max),
            ]
        )
        for row in 0..<result.rowCount {
            let day = Day(number: Int32(truncatingIfNeeded: result.integer(row, 0)))
            try body(byValue ? result.bytes(row, 1) : nil, day, result.borrowedBytes(row, 2))
        }
    }
}
