import FunnelStore
import Funnels

/// Adds counts to the summary.
struct SQLiteResultCountWriter: ~Copyable {
    private let add: SQLiteStatement
    private let remove: SQLiteStatement

    init(_ connection: OpaquePointer) throws {
        let add = try SQLiteStatement(
            connection,
            """
            INSERT INTO result_counts(funnel, by_value, day, value, previous_gap, next_gap, outcome, actors, shown)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, nullif(?9, x''))
            ON CONFLICT DO UPDATE SET actors = actors + excluded.actors
            """
        )
        let remove = try SQLiteStatement(
            connection,
            """
            DELETE FROM result_counts WHERE funnel = ?1 AND by_value = ?2 AND day = ?3 AND value = ?4
                AND previous_gap = ?5 AND next_gap = ?6 AND outcome = ?7 AND actors = 0
            """
        )
        // In one call: a noncopyable value cannot be left partly initialized if one of the statements fails.
        self.init(add: add, remove: remove)
    }

    private init(add: consuming SQLiteStatement, remove: consuming SQLiteStatement) {
        self.add = add
        self.remove = remove
    }

    func add(_ counts: [OutcomeCount], to key: SummaryKey) throws {
        let shown = key.shownValue
        for count in counts {
            try bind(key, count, to: add)
            try add.bind(count.actors, at: 8)
            try add.withBlob(key.value ?? [], at: 4) { try add.withBlob(shown, at: 9) { _ = try add.run() } }
            // Only a removal leaves a row without actors.
            guard count.actors < 0 else { continue }
            try bind(key, count, to: remove)
            try remove.withBlob(key.value ?? [], at: 4) { _ = try remove.run() }
        }
    }

    private func bind(
        _ key: SummaryKey,
        _ count: OutcomeCount,
        to statement: borrowing SQLiteStatement
    ) throws {
        try statement.bind(Int64(key.funnel), at: 1)
        try statement.bind(key.value == nil ? 0 : 1, at: 2)
        try statement.bind(Int64(key.day.number), at: 3)
        try statement.bind(Int64(count.gaps.previous), at: 5)
        try statement.bind(Int64(count.gaps.next), at: 6)
        try statement.bind(count.outcome.code, at: 7)
    }
}
