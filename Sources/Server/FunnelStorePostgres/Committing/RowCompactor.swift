import FunnelStore
import Funnels

/// Replaces the rows of installs by smaller ones with the same meaning.
struct RowCompactor {
    let connection: PostgresConnection

    /// Replaces the rows that still have the expected version, and increments the version.
    ///
    /// Skips rows that another consumer has locked. It never waits for a lock, so it cannot deadlock.
    func compact(_ writes: [InstallWrite]) throws {
        for batch in StatementBatches(
            writes,
            indices: InstallOrder.indices(count: writes.count, by: { writes[$0].install })
        ) {
            let result = try connection.execute(
                """
                WITH t AS (
                    SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bigint[])
                        WITH ORDINALITY AS t(install, state, version, number)
                ), free AS (
                    SELECT i.install, i.version, t.state, t.number
                    FROM flow_funnels_installs i JOIN t ON t.install = i.install
                    WHERE i.version = t.version ORDER BY i.install FOR UPDATE OF i SKIP LOCKED
                )
                UPDATE flow_funnels_installs i SET state = free.state, version = free.version + 1
                FROM free WHERE i.install = free.install RETURNING free.number
                """,
                [
                    .byteas(batch.map { writes[$0].install }), .byteas(batch.map { writes[$0].state }),
                    .int8s(batch.map { writes[$0].expectedVersion }),
                ]
            )
            let batch = batch.map { writes[$0] }
            let written = (0..<result.rowCount).map { batch[Int(result.integer($0, 0)) - 1] }
            try PostgresHistoryWriter(connection: connection).write(written)
        }
    }
}
