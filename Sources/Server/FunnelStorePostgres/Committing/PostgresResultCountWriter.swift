import FunnelStore
import Funnels

/// Adds counts to the table of the view `funnel_results`.
///
/// A count is added to the row with its key. Where another consumer has locked the row, or there is none, it gets a row
/// of its own, so consumers never wait for each other here. The view's queries add up rows, and a later commit that can
/// lock all rows of a key leaves one of them, or none if the sum is 0.
struct PostgresResultCountWriter {
    let connection: PostgresConnection

    /// Adds counts, each key once.
    func add(_ counts: [ResultCount]) throws {
        let batches = StatementBatches(indices: Array(counts.indices)) { 64 + (counts[$0].value?.count ?? 0) }
        for batch in batches { try addAtOnce(batch.map { counts[$0] }) }
    }

    private func addAtOnce(_ counts: [ResultCount]) throws {
        try connection.execute(
            """
            WITH t AS MATERIALIZED (
                SELECT * FROM unnest(
                    $1::int[], $2::boolean[], $3::int[], $4::bytea[], $5::int[], $6::int[], $7::int[], $8::bigint[]
                ) WITH ORDINALITY AS t(\(Self.columns), number)
            ), locked AS MATERIALIZED (
                SELECT r.id, r.actors, t.number, t.actors AS added FROM t
                JOIN flow_funnels_result_counts r ON r.funnel = t.funnel AND r.by_value = t.by_value
                    AND r.day = t.day AND sha256(r.value) = sha256(t.value) AND r.previous_gap = t.previous_gap
                    AND r.next_gap = t.next_gap AND r.depth = t.depth AND r.value = t.value
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
            SELECT \(Self.columns) FROM t WHERE number NOT IN (SELECT number FROM ranked)
            """,
            [
                .int4s(counts.map { Int32($0.funnel) }), .bools(counts.map { $0.value != nil }),
                .int4s(counts.map(\.day)), .byteas(counts.map { $0.value ?? [] }),
                .int4s(counts.map(\.previousGap)), .int4s(counts.map(\.nextGap)),
                .int4s(counts.map { Int32($0.depth) }), .int8s(counts.map(\.actors)),
            ]
        )
    }

    private static let columns = "funnel, by_value, day, value, previous_gap, next_gap, depth, actors"
}
