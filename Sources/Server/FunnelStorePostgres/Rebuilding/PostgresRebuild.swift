import FunnelStore
import Funnels

/// The store inside the transaction that changes its funnels.
struct PostgresRebuild: StoreRebuild, StoreView {
    let queries: PostgresStoreQueries
    private var connection: PostgresConnection { queries.connection }

    func put(_ rows: [StoredInstall]) throws {
        let writes = rows.map {
            InstallWrite(install: $0.install, expectedVersion: $0.version, state: $0.state, history: $0.history)
        }
        let history = PostgresHistoryWriter(connection: connection)
        for batch in StatementBatches(
            writes,
            indices: InstallOrder.indices(count: writes.count, by: { writes[$0].install })
        ) {
            try connection.execute(
                """
                INSERT INTO flow_funnels_installs(install, version, state)
                SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bytea[])
                ON CONFLICT (install) DO UPDATE SET version = excluded.version, state = excluded.state
                """,
                [
                    .byteas(batch.map { writes[$0].install }), .int8s(batch.map { writes[$0].expectedVersion }),
                    .byteas(batch.map { writes[$0].state }),
                ]
            )
            try history.deleteAll(batch.map { writes[$0].install })
            try history.write(batch.lazy.map { writes[$0] })
        }
    }

    func moveSummary(_ moves: [Int: Int]) throws {
        let moved = moves.filter { $0.key != $0.value }
        for table in ["flow_funnels_segments", "flow_funnels_result_counts"] {
            try connection.execute(
                "DELETE FROM \(table) WHERE funnel <> ALL($1)",
                [.int4s(moves.keys.map(Int32.init))]
            )
            try connection.execute(
                """
                UPDATE \(table) s SET funnel = t.new
                FROM unnest($1::int[], $2::int[]) AS t(old, new) WHERE s.funnel = t.old
                """,
                [.int4s(moved.keys.map(Int32.init)), .int4s(moved.values.map(Int32.init))]
            )
        }
    }

    func add(_ summary: [SummaryDelta]) throws {
        try PostgresSegmentWriter(connection: connection).append(summary)
        try PostgresResultCountWriter(connection: connection).add(summary)
    }

    func setDuplicates(_ counts: [Int32: Int64]) throws {
        try connection.execute(
            """
            UPDATE flow_funnels_partitions p SET duplicates = t.duplicates
            FROM unnest($1::int[], $2::bigint[]) AS t(partition, duplicates) WHERE p.partition = t.partition
            """,
            [.int4s(Array(counts.keys)), .int8s(Array(counts.values))]
        )
    }

    func addCapped(_ count: Int64) throws {
        // Reports read only the sum over the partitions, so any partition will do.
        try connection.execute(
            """
            UPDATE flow_funnels_partitions SET capped = capped + $1
            WHERE partition = (SELECT min(partition) FROM flow_funnels_partitions)
            """,
            [.int8(count)]
        )
    }

    func setFunnels(
        _ funnels: [Funnel],
        counted: [String],
        completeFrom firstDay: Day?,
        firstKnown: [String: Day]
    ) throws {
        try PostgresFunnelStore.write(funnels, to: connection)
        var queries = queries
        try queries.keepTimeZones(of: funnels)
        try connection.execute(
            "DELETE FROM flow_funnels_beginnings WHERE funnel = ANY($1) OR funnel <> ALL($2)",
            [.texts(counted), .texts(funnels.map(\.name))]
        )
        if let firstDay {
            try connection.execute(
                "INSERT INTO flow_funnels_beginnings(funnel, first_day) SELECT unnest($1::text[]), $2",
                [.texts(counted), .int4(firstDay.number)]
            )
        }
        try PostgresCommitWriter.write(firstKnown: firstKnown, to: connection)
    }
}
