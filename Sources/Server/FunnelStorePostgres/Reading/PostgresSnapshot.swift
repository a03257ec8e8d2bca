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

    func forEachCount(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: (_ value: [UInt8]?, _ outcome: Outcome, _ actors: Int64) throws -> Void
    ) throws {
        // A gap that ends within the range means that another day of the actor counts instead.
        try queries.connection.forEachRow(
            """
            SELECT outcome, sum(actors)::bigint\(byValue ? ", value" : "") FROM flow_funnels_result_counts
            WHERE funnel = $1 AND by_value = $2 AND day BETWEEN $3 AND $4
                AND (previous_gap = 0 OR day::bigint - previous_gap < $3)
                AND (next_gap = 0 OR day::bigint + next_gap > $4)
            GROUP BY outcome\(byValue ? ", value" : "")
            """,
            Self.parameters(funnel, byValue: byValue, days)
        ) { row in
            try body(byValue ? row.bytes(0, 2) : nil, queries.location.outcome(row.integer(0, 0)), row.integer(0, 1))
        }
    }

    func entryDays(funnel: Int, in range: DayRange) throws -> ClosedRange<Day>? {
        let days = try ["ASC", "DESC"].compactMap { order in
            let result = try queries.connection.execute(
                """
                SELECT day FROM flow_funnels_result_counts WHERE funnel = $1 AND by_value = $2 AND day BETWEEN $3 AND $4
                GROUP BY day HAVING sum(actors) > 0 ORDER BY day \(order) LIMIT 1
                """,
                Self.parameters(funnel, byValue: false, range)
            )
            return result.rowCount == 0 ? nil : Day(number: Int32(truncatingIfNeeded: result.integer(0, 0)))
        }
        return days.count == 2 ? days[0]...days[1] : nil
    }

    /// Which part of the summary is read.
    private static func parameters(_ funnel: Int, byValue: Bool, _ days: DayRange) -> [PostgresValue] {
        [.int4(Int32(funnel)), .bool(byValue), .int4(days.from?.number ?? .min), .int4(days.to?.number ?? .max)]
    }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: (_ value: [UInt8]?, _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try queries.connection.forEachRow(
            """
            SELECT day, value, attempts FROM flow_funnels_segments
            WHERE funnel = $1 AND by_value = $2 AND day BETWEEN $3 AND $4
            """,
            Self.parameters(funnel, byValue: byValue, days)
        ) { row in
            let day = Day(number: Int32(truncatingIfNeeded: row.integer(0, 0)))
            try body(byValue ? row.bytes(0, 1) : nil, day, row.borrowedBytes(0, 2))
        }
    }
}
