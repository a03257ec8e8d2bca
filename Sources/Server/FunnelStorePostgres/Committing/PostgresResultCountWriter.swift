import FunnelStore
import Funnels

/// Adds counts to the summary.
///
/// A count is added to the row with its key. Where another consumer has locked the row, or there is none, it gets a row
/// of its own, so consumers never wait for each other here. Whoever reads rows adds them up, and a later commit that can
/// lock all rows of a key leaves one of them, or none if the sum is 0.
struct PostgresResultCountWriter {
    let connection: PostgresConnection

    /// Adds counts, each key once.
    func add(_ deltas: [SummaryDelta]) throws {
        let rows = deltas.flatMap { delta in delta.counts.map { (key: delta.key, count: $0) } }
        let batches = StatementBatches(indices: Array(rows.indices)) { 64 + (rows[$0].key.value?.count ?? 0) }
        for batch in batches { try addAtOnce(batch.map { rows[$0] }) }
    }

    private func addAtOnce(_ rows: [(key: SummaryKey, count: OutcomeCount)]) throws {
        try connection.execute(
            """
            WITH t AS MATERIALIZED (
                SELECT * FROM unnest(
                    $1::int[], $2::boolean[], $3::int[], $4::bytea[], $5::int[], $6::int[], $7::bigint[], $8::bigint[],
                    $9::bytea[]
                ) WITH ORDINALITY AS t(\(Self.columns), number)
            ), locked AS MATERIALIZED (
                SELECT r.id, r.actors, t.number, t.actors AS added FROM t
                JOIN flow_funnels_result_counts r ON r.funnel = t.funnel AND r.by_value = t.by_value
                    AND r.day = t.day AND sha256(r.value) = sha256(t.value) AND r.previous_gap = t.previous_gap
                    AND r.next_gap = t.next_gap AND r.outcome = t.outcome AND r.value = t.value
                FOR UPDATE OF r SKIP LOCKED
            ), ranked AS MATERIALIZED (
                SELECT id, number, row_number() OVER (PARTITION BY number ORDER BY id) AS rank,
                    (sum(actors) OVER (PARTITION BY number) + added)::bigint AS total
                FROM locked
            ), changed AS (
                UPDATE flow_funnels_result_counts r SET actors = ranked.total
                FROM ranked WHERE r.id = ranked.id AND rank = 1 AND total <> 0
            ), removed AS (
                DELETE FROM flow_funnels_result_counts r
                USING ranked WHERE r.id = ranked.id AND (rank > 1 OR total = 0)
            )
            INSERT INTO flow_funnels_result_counts(\(Self.columns))
            SELECT \(Self.keyColumns), actors, nullif(shown, '') FROM t WHERE number NOT IN (SELECT number FROM ranked)
            """,
            [
                .int4s(rows.map { Int32($0.key.funnel) }), .bools(rows.map { $0.key.value != nil }),
                .int4s(rows.map(\.key.day.number)), .byteas(rows.map { $0.key.value ?? [] }),
                .int4s(rows.map { Int32(clamping: $0.count.gaps.previous) }),
                .int4s(rows.map { Int32(clamping: $0.count.gaps.next) }),
                .int8s(rows.map(\.count.outcome.code)), .int8s(rows.map(\.count.actors)),
                .byteas(rows.map(\.key.shownValue)),
            ]
        )
    }

    private static let keyColumns = "funnel, by_value, day, value, previous_gap, next_gap, outcome"
    private static let columns = "\(keyColumns), actors, shown"
}
