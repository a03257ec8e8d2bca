import Funnels

/// Adds segments to the summary, and merges the segments of one key as `SummarySegment` prescribes.
///
/// Each commit adds rows of its own and updates none, so consumers never wait for each other here. Merging takes only
/// rows that it can lock at once, and leaves those that another consumer has locked to a later commit. Addition
/// commutes, so it does not matter which consumer merges which rows.
struct PostgresSegmentWriter {
    let connection: PostgresConnection

    /// - Parameter mergesAll: whether one segment of each key is left, or none where it is empty. No other transaction may
    ///   have locked one.
    /// - Throws: `DamagedSummary` if a segment cannot be read, and ``PostgresFailure``.
    func append(_ deltas: [SummaryDelta], mergesAll: Bool = false) throws {
        let deltas = mergesAll ? deltas : deltas.filter { !$0.segment.isEmpty }
        for batch in StatementBatches(deltas) { try appendAtOnce(batch.map { deltas[$0] }, mergesAll: mergesAll) }
    }

    private func appendAtOnce(_ deltas: [SummaryDelta], mergesAll: Bool) throws {
        let folded = try foldable(deltas, mergesAll: mergesAll)
        var merged: [SummaryDelta] = []
        for (index, delta) in deltas.enumerated() {
            let segment = try SummarySegment.merged((folded.bodies[index] ?? []) + [delta.segment])
            if !segment.isEmpty { merged.append(SummaryDelta(key: delta.key, segment: segment)) }
        }
        if !folded.ids.isEmpty {
            try connection.execute("DELETE FROM flow_funnels_segments WHERE id = ANY($1)", [.int8s(folded.ids)])
        }
        // Merged segments are larger than the deltas, so they need batches of their own.
        for batch in StatementBatches(merged) {
            let batch = batch.map { merged[$0] }
            try connection.execute(
                """
                INSERT INTO flow_funnels_segments(funnel, by_value, day, value, attempts)
                SELECT * FROM unnest($1::int[], $2::boolean[], $3::int[], $4::bytea[], $5::bytea[])
                """,
                Self.keys(batch) + [.byteas(batch.map(\.segment))]
            )
        }
    }

    /// Locks the segments to merge with the deltas. Returns all their ids, and their bodies by the delta's index.
    private func foldable(
        _ deltas: [SummaryDelta],
        mergesAll: Bool
    ) throws -> (ids: [Int64], bodies: [Int: [[UInt8]]]) {
        // length() reads only the header of a bytea, not its bytes.
        let sizes = try connection.execute(
            """
            SELECT t.number, s.id, length(s.attempts)
            FROM unnest($1::int[], $2::boolean[], $3::int[], $4::bytea[])
                WITH ORDINALITY AS t(funnel, by_value, day, value, number)
            JOIN flow_funnels_segments s ON s.funnel = t.funnel AND s.by_value = t.by_value AND s.day = t.day
                AND sha256(s.value) = sha256(t.value) AND s.value = t.value
            ORDER BY s.id
            """,
            Self.keys(deltas)
        )
        var stored: [Int: [(id: Int64, size: Int)]] = [:]
        for row in 0..<sizes.rowCount {
            stored[Int(sizes.integer(row, 0)) - 1, default: []]
                .append((id: sizes.integer(row, 1), size: Int(sizes.integer(row, 2))))
        }
        var owners: [Int64: Int] = [:]
        for (index, segments) in stored {
            let count =
                mergesAll
                ? segments.count
                : SummarySegment.foldCount(existing: segments.map(\.size), new: deltas[index].segment.count)
            for segment in segments.suffix(count) { owners[segment.id] = index }
        }
        guard !owners.isEmpty else { return ([], [:]) }
        let locked = try connection.execute(
            "SELECT id, attempts FROM flow_funnels_segments WHERE id = ANY($1) FOR UPDATE SKIP LOCKED",
            [.int8s(Array(owners.keys))]
        )
        var ids: [Int64] = []
        var bodies: [Int: [[UInt8]]] = [:]
        for row in 0..<locked.rowCount {
            let id = locked.integer(row, 0)
            guard let owner = owners[id] else { continue }
            ids.append(id)
            bodies[owner, default: []].append(locked.bytes(row, 1))
        }
        return (ids, bodies)
    }

    private static func keys(_ deltas: [SummaryDelta]) -> [PostgresValue] {
        [
            .int4s(deltas.map { Int32($0.key.funnel) }), .bools(deltas.map { $0.key.value != nil }),
            .int4s(deltas.map(\.key.day.number)), .byteas(deltas.map { $0.key.value ?? [] }),
        ]
    }
}
