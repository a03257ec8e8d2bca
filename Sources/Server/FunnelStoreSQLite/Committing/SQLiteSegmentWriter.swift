import Funnels

/// Adds segments to the summary, and merges the segments of one key as `SummarySegment` prescribes.
struct SQLiteSegmentWriter: ~Copyable {
    private let sizes: SQLiteStatement
    private let body: SQLiteStatement
    private let delete: SQLiteStatement
    private let insert: SQLiteStatement

    init(_ connection: OpaquePointer) throws {
        // length() reads only the row's header, not the blob.
        let sizes = try SQLiteStatement(
            connection,
            """
            SELECT id, length(attempts) FROM segments
            WHERE funnel = ?1 AND by_value = ?2 AND day = ?3 AND value = ?4 ORDER BY id
            """
        )
        let body = try SQLiteStatement(connection, "SELECT attempts FROM segments WHERE id = ?")
        let delete = try SQLiteStatement(connection, "DELETE FROM segments WHERE id = ?")
        let insert = try SQLiteStatement(
            connection,
            "INSERT INTO segments(funnel, by_value, day, value, attempts) VALUES (?1, ?2, ?3, ?4, ?5)"
        )
        // In one call: a noncopyable value cannot be left partly initialized if one of the statements fails.
        self.init(sizes: sizes, body: body, delete: delete, insert: insert)
    }

    private init(
        sizes: consuming SQLiteStatement,
        body: consuming SQLiteStatement,
        delete: consuming SQLiteStatement,
        insert: consuming SQLiteStatement
    ) {
        self.sizes = sizes
        self.body = body
        self.delete = delete
        self.insert = insert
    }

    /// - Parameter mergesAll: whether one segment of the key is left, or none where it is empty.
    /// - Throws: `DamagedSummary` if a segment cannot be read, and SQLite's errors.
    func append(_ delta: SummaryDelta, mergesAll: Bool = false) throws {
        guard mergesAll || !delta.segment.isEmpty else { return }
        let stored = try segments(of: delta.key)
        let folded =
            mergesAll
            ? stored.count : SummarySegment.foldCount(existing: stored.map(\.size), new: delta.segment.count)
        var parts: [[UInt8]] = []
        for segment in stored.suffix(folded) {
            try body.bind(segment.id, at: 1)
            try body.forEachRow { parts.append($0.bytes(0)) }
            try delete.bind(segment.id, at: 1)
            try delete.run()
        }
        let merged = try SummarySegment.merged(parts + [delta.segment])
        guard !merged.isEmpty else { return }
        try bind(delta.key, to: insert)
        // The new id is greater than all others, so the newest segment of a key stays its last one.
        try insert.withBlob(delta.key.value ?? [], at: 4) {
            try insert.withBlob(merged, at: 5) { try insert.run() }
        }
    }

    private func segments(of key: SummaryKey) throws -> [(id: Int64, size: Int)] {
        var result: [(id: Int64, size: Int)] = []
        try bind(key, to: sizes)
        try sizes.withBlob(key.value ?? [], at: 4) {
            try sizes.forEachRow { result.append((id: $0.integer(0), size: Int($0.integer(1)))) }
        }
        return result
    }

    private func bind(_ key: SummaryKey, to statement: borrowing SQLiteStatement) throws {
        try statement.bind(Int64(key.funnel), at: 1)
        try statement.bind(key.value == nil ? 0 : 1, at: 2)
        try statement.bind(Int64(key.day.number), at: 3)
    }
}
