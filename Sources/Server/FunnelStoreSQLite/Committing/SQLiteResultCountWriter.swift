import FunnelStore

/// Adds counts to the table of the view `funnel_results`.
struct SQLiteResultCountWriter: ~Copyable {
    private let add: SQLiteStatement
    private let remove: SQLiteStatement

    init(_ connection: OpaquePointer) throws {
        let add = try SQLiteStatement(
            connection,
            """
            INSERT INTO result_counts(funnel, by_value, day, value, previous_gap, next_gap, depth, actors)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT DO UPDATE SET actors = actors + excluded.actors
            """
        )
        let remove = try SQLiteStatement(
            connection,
            """
            DELETE FROM result_counts WHERE funnel = ?1 AND by_value = ?2 AND day = ?3 AND value = ?4
                AND previous_gap = ?5 AND next_gap = ?6 AND depth = ?7 AND actors = 0
            """
        )
        // In one call: a noncopyable value cannot be left partly initialized if one of the statements fails.
        self.init(add: add, remove: remove)
    }

    private init(add: consuming SQLiteStatement, remove: consuming SQLiteStatement) {
        self.add = add
        self.remove = remove
    }

    func add(_ counts: [ResultCount]) throws {
        for count in counts {
            try bind(count, to: add)
            try add.bind(count.actors, at: 8)
            try add.withBlob(count.value ?? [], at: 4) { _ = try add.run() }
            // Only a removal leaves a row without actors.
            guard count.actors < 0 else { continue }
            try bind(count, to: remove)
            try remove.withBlob(count.value ?? [], at: 4) { _ = try remove.run() }
        }
    }

    private func bind(_ count: ResultCount, to statement: borrowing SQLiteStatement) throws {
        try statement.bind(Int64(count.funnel), at: 1)
        try statement.bind(count.value == nil ? 0 : 1, at: 2)
        try statement.bind(Int64(count.day), at: 3)
        try statement.bind(Int64(count.previousGap), at: 5)
        try statement.bind(Int64(count.nextGap), at: 6)
        try statement.bind(Int64(count.depth), at: 7)
    }
}
