import FlowEvents
import FunnelStore
import Funnels

/// The summary, as one read transaction sees it.
struct SQLiteSnapshot: SummarySource, StoreView {
    let queries: SQLiteStoreQueries

    func topicProgress() throws -> TopicProgress { try queries.topicProgress() }

    func partitionReads() throws -> [Int32: Timestamp] { try queries.partitionReads() }

    func timeZones(of funnels: [Funnel]) throws -> TimeZoneTables { try queries.keptTimeZones(of: funnels) }

    func firstCompleteDay(of funnel: String) throws -> Day? { try day("first_day", of: funnel) }

    func firstKnownDay(of funnel: String) throws -> Day? { try day("first_known", of: funnel) }

    private func day(_ column: String, of funnel: String) throws -> Day? {
        var days: [String: Int64] = [:]
        try SQLiteStatement(queries.connection, "SELECT funnel, \(column) FROM beginnings").forEachRow { row in
            days[row.text(0)] = row.optionalInteger(1)
        }
        return days[funnel].map { Day(number: Int32(truncatingIfNeeded: $0)) }
    }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        from: Day?,
        to: Day?,
        _ body: (_ value: [UInt8]?, _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let statement = try SQLiteStatement(
            queries.connection,
            """
            SELECT day, value, attempts FROM segments
            WHERE funnel = ?1 AND by_value = ?2 AND day BETWEEN ?3 AND ?4
            """
        )
        try statement.bind(Int64(funnel), at: 1)
        try statement.bind(byValue ? 1 : 0, at: 2)
        try statement.bind(Int64(from?.number ?? .min), at: 3)
        try statement.bind(Int64(to?.number ?? .max), at: 4)
        try statement.forEachRow { row in
            guard let day = Int32(exactly: row.integer(0)) else {
                throw queries.location.damaged("a segment has the day \(row.integer(0))")
            }
            try body(byValue ? row.bytes(1) : nil, Day(number: day), row.borrowedBytes(2))
        }
    }
}

/// The whole store, as one read transaction sees it.
struct SQLiteAudit: FunnelAudit, StoreView {
    let queries: SQLiteStoreQueries

    var summary: any SummarySource { SQLiteSnapshot(queries: queries) }

    func funnelsWithOtherRows(among funnels: Range<Int>) throws -> [Int] {
        let statement = try SQLiteStatement(
            queries.connection,
            """
            SELECT value, day, previous_gap, next_gap, depth, actors FROM result_counts
            WHERE funnel = ?1 AND by_value = ?2
            """
        )
        return try ResultCount.funnelsWithOtherRows(among: funnels, in: summary) { funnel, byValue, body in
            try statement.bind(Int64(funnel), at: 1)
            try statement.bind(byValue ? 1 : 0, at: 2)
            try statement.forEachRow { row in
                try body(
                    ResultCount(
                        funnel: funnel,
                        value: byValue ? row.bytes(0) : nil,
                        day: Int32(clamping: row.integer(1)),
                        previousGap: Int32(clamping: row.integer(2)),
                        nextGap: Int32(clamping: row.integer(3)),
                        depth: Int(row.integer(4)),
                        actors: row.integer(5)
                    )
                )
            }
        }
    }
}
