import Funnels

/// Writes the rows of installs' histories.
///
/// A transaction writes the history only of installs whose rows it has written before, and so locked. Two transactions
/// therefore never wait for each other here.
struct PostgresHistoryWriter {
    let connection: PostgresConnection

    /// Inserts or replaces rows. A row with an empty state is deleted.
    func write(_ writes: some Sequence<InstallWrite>) throws {
        var (kept, deleted) = (Rows(), Rows())
        for write in writes {
            for row in write.history {
                if row.state.isEmpty {
                    deleted.append(write.install, row)
                } else {
                    kept.append(write.install, row)
                }
            }
        }
        try put(kept)
        try delete(deleted)
    }

    /// Deletes all rows of installs.
    func deleteAll(_ installs: [[UInt8]]) throws {
        try connection.execute("DELETE FROM flow_funnels_history WHERE install = ANY($1)", [.byteas(installs)])
    }

    private func put(_ rows: Rows) throws {
        for batch in rows.batches {
            try connection.execute(
                """
                INSERT INTO flow_funnels_history(install, number, state)
                SELECT t.install, t.number, t.state
                FROM unnest($1::bytea[], $2::bigint[], $3::bytea[]) AS t(install, number, state)
                ON CONFLICT (install, number) DO UPDATE SET state = excluded.state
                """,
                [
                    .byteas(batch.map { rows.installs[$0] }), .int8s(batch.map { rows.rows[$0].number }),
                    .byteas(batch.map { rows.rows[$0].state }),
                ]
            )
        }
    }

    private func delete(_ rows: Rows) throws {
        for batch in rows.batches {
            try connection.execute(
                """
                DELETE FROM flow_funnels_history h
                USING unnest($1::bytea[], $2::bigint[]) AS t(install, number)
                WHERE h.install = t.install AND h.number = t.number
                """,
                [.byteas(batch.map { rows.installs[$0] }), .int8s(batch.map { rows.rows[$0].number })]
            )
        }
    }

    /// Rows with their installs.
    private struct Rows {
        var installs: [[UInt8]] = []
        var rows: [HistoryRow] = []

        mutating func append(_ install: [UInt8], _ row: HistoryRow) {
            installs.append(install)
            rows.append(row)
        }

        var batches: StatementBatches {
            StatementBatches(indices: Array(rows.indices)) { installs[$0].count + rows[$0].state.count }
        }
    }
}
