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

    func forEachCount(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: (_ value: [UInt8]?, _ outcome: Outcome, _ actors: Int64) throws -> Void
    ) throws {
        // A gap that ends within the range means that another day of the actor counts instead. All actors have one empty value,
        // which would only make what is sorted larger.
        let statement = try SQLiteStatement(
            queries.connection,
            """
            SELECT outcome, sum(actors)\(byValue ? ", value" : "") FROM result_counts
            WHERE funnel = ?1 AND by_value = ?2 AND day BETWEEN ?3 AND ?4
                AND (previous_gap = 0 OR day - previous_gap < ?3) AND (next_gap = 0 OR day + next_gap > ?4)
            GROUP BY outcome\(byValue ? ", value" : "")
            """
        )
        try statement.bind(funnel, byValue: byValue, days)
        try statement.forEachRow { row in
            try body(byValue ? row.bytes(2) : nil, queries.location.outcome(row.integer(0)), row.integer(1))
        }
    }

    func entryDays(funnel: Int, in range: DayRange) throws -> ClosedRange<Day>? {
        var days: [Day] = []
        for order in ["ASC", "DESC"] {
            let statement = try SQLiteStatement(
                queries.connection,
                """
                SELECT day FROM result_counts WHERE funnel = ?1 AND by_value = ?2 AND day BETWEEN ?3 AND ?4
                GROUP BY day HAVING sum(actors) > 0 ORDER BY day \(order) LIMIT 1
                """
            )
            try statement.bind(funnel, byValue: false, range)
            try statement.forEachRow { days.append(try queries.day($0.integer(0))) }
        }
        return days.count == 2 ? days[0]...days[1] : nil
    }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        in days: DayRange,
        _ body: (_ value: [UInt8]?, _ day: Day, _ segment: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let statement = try SQLiteStatement(
            queries.connection,
            """
            SELECT day, value, attempts FROM segments
            WHERE funnel = ?1 AND by_value = ?2 AND day BETWEEN ?3 AND ?4
            """
        )
        try statement.bind(funnel, byValue: byValue, days)
        try statement.forEachRow { row in
            try body(byValue ? row.bytes(1) : nil, queries.day(row.integer(0)), row.borrowedBytes(2))
        }
    }
}

extension SQLiteStatement {
    /// Binds the first four parameters: which part of the summary is read.
    fileprivate func bind(_ funnel: Int, byValue: Bool, _ days: DayRange) throws {
        try bind(Int64(funnel), at: 1)
        try bind(byValue ? 1 : 0, at: 2)
        try bind(days.from.map { Int64($0.number) } ?? .min, at: 3)
        try bind(days.to.map { Int64($0.number) } ?? .max, at: 4)
    }
}

extension SQLiteStoreQueries {
    fileprivate func day(_ number: Int64) throws -> Day {
        guard let number = Int32(exactly: number) else { throw location.damaged("a result has the day \(number)") }
        return Day(number: number)
    }
}

/// The whole store, as one read transaction sees it.
struct SQLiteAudit: FunnelAudit, StoreView {
    let queries: SQLiteStoreQueries

    var summary: any SummarySource { SQLiteSnapshot(queries: queries) }

    func forEachCount(
        funnel: Int,
        byValue: Bool,
        _ body: (_ value: [UInt8]?, _ day: Day, _ count: OutcomeCount) throws -> Void
    ) throws {
        let statement = try SQLiteStatement(
            queries.connection,
            """
            SELECT value, day, previous_gap, next_gap, outcome, actors FROM result_counts
            WHERE funnel = ?1 AND by_value = ?2
            """
        )
        try statement.bind(Int64(funnel), at: 1)
        try statement.bind(byValue ? 1 : 0, at: 2)
        try statement.forEachRow { row in
            let count = try queries.location.outcomeCount(
                previousGap: row.integer(2),
                nextGap: row.integer(3),
                outcome: row.integer(4),
                actors: row.integer(5)
            )
            try body(byValue ? row.bytes(0) : nil, queries.day(row.integer(1)), count)
        }
    }
}
