import Funnels

/// Adds segments to the summary and folds those of one key together, as ``SummarySegment`` asks for.
struct SQLiteSegmentWriter: ~Copyable {
    private let sizes: StoreStatement
    private let body: StoreStatement
    private let delete: StoreStatement
    private let insert: StoreStatement

    init(_ connection: OpaquePointer) throws {
        // length() of a blob is in the row's header: the bodies are not read.
        let sizes = try StoreStatement(
            connection,
            """
            SELECT id, length(attempts) FROM segments
            WHERE funnel = ?1 AND by_value = ?2 AND day = ?3 AND value = ?4 ORDER BY id
            """
        )
        let body = try StoreStatement(connection, "SELECT attempts FROM segments WHERE id = ?")
        let delete = try StoreStatement(connection, "DELETE FROM segments WHERE id = ?")
        let insert = try StoreStatement(
            connection,
            "INSERT INTO segments(funnel, by_value, day, value, attempts) VALUES (?1, ?2, ?3, ?4, ?5)"
        )
        // All at once: what is not copyable cannot be left half made where one of them fails.
        self.init(sizes: sizes, body: body, delete: delete, insert: insert)
    }

    private init(
        sizes: consuming StoreStatement,
        body: consuming StoreStatement,
        delete: consuming StoreStatement,
        insert: consuming StoreStatement
    ) {
        self.sizes = sizes
        self.body = body
        self.delete = delete
        self.insert = insert
    }

    /// - Throws: `DamagedSegment` where a segment cannot be read, and SQLite's errors.
    func append(_ delta: SummaryDelta) throws {
        let standing = try segments(of: delta.key)
        let folded = SummarySegment.foldCount(existing: standing.map(\.size), new: delta.segment.count)
        var parts: [[UInt8]] = []
        for segment in standing.suffix(folded) {
            try body.bind(segment.id, at: 1)
            try body.forEachRow { parts.append($0.bytes(0)) }
            try delete.bind(segment.id, at: 1)
            try delete.run()
        }
        let merged = try SummarySegment.merged(parts + [delta.segment])
        guard !merged.isEmpty else { return }
        try bind(delta.key, to: insert)
        // The new id is one more than the greatest there is, so a key's newest segment stays its last.
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

    private func bind(_ key: SummaryKey, to statement: borrowing StoreStatement) throws {
        try statement.bind(Int64(key.funnel), at: 1)
        try statement.bind(key.value == nil ? 0 : 1, at: 2)
        try statement.bind(Int64(key.day.number), at: 3)
    }
}
