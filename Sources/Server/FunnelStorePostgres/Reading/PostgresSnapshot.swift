import FlowEvents
import FunnelStore
import Funnels

/// The summary, as one read transaction sees it.
struct PostgresSnapshot: SummarySource, StoreView {
    let queries: PostgresStoreQueries

    func topicProgress() throws -> TopicProgress { try queries.topicProgress() }

    func partitionReads() throws -> [Int32: Timestamp] { try queries.partitionReads() }

    func timeZones(of funnels: [Funnel]) throws -> TimeZoneTables { try queries.keptTimeZones(of: funnels) }

    func firstCompleteDay(of funnel: String) throws -> Day? { try day("first_day", of: funnel) }

    func firstKnownDay(of funnel: String) throws -> Day? { try day("first_known", of: funnel) }

    private func day(_ column: String, of funnel: String) throws -> Day? {
        let result = try queries.connection.execute(
            "SELECT \(column) FROM flow_funnels_beginnings WHERE funnel = $1",
            [.text(funnel)]
        )
        guard result.rowCount > 0, let day = result.optionalInteger(0, 0) else { return nil }
        return Day(number: Int32(truncatingIfNeeded: day))
    }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        from: Day?,
        to: Day?,
        _ body: (_ value: [UInt8]?, _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try queries.connection.forEachRow(
            """
            SELECT day, value, attempts FROM flow_funnels_segments
            WHERE funnel = $1 AND by_value = $2 AND day BETWEEN $3 AND $4
            """,
            [
                .int4(Int32(funnel)), .bool(byValue), .int4(from?.number ?? .min), .int4(to?.number ?? .max),
            ]
        ) { row in
            let day = Day(number: Int32(truncatingIfNeeded: row.integer(0, 0)))
            try body(byValue ? row.bytes(0, 1) : nil, day, row.borrowedBytes(0, 2))
        }
    }
}
