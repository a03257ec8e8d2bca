import FunnelStore
import Funnels

/// Replaces the states of installs' rows by smaller states with the same meaning.
struct RowCompactor {
    let connection: PostgresConnection

    /// Replaces the states of the rows that still have the same version.
    ///
    /// Skips rows that another consumer has locked. It never waits for a lock, so it cannot deadlock.
    ///
    /// - Parameter writes: writes whose installs are keys, see ``InstallKey``.
    func compact(_ writes: [InstallWrite]) throws {
        for chunk in InstallChunks(writes, indices: InstallOrder.indices(of: writes, by: \.install)) {
            try connection.execute(
                """
                WITH t AS (
                    SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bigint[]) AS t(install, state, version)
                ), free AS (
                    SELECT i.install, i.version, t.state FROM flow_funnels_installs i JOIN t ON t.install = i.install
                    WHERE i.version = t.version ORDER BY i.install FOR UPDATE OF i SKIP LOCKED
                )
                UPDATE flow_funnels_installs i SET state = free.state, version = free.version + 1 FROM free WHERE i.install = free.install
                """,
                [
                    .byteas(chunk.map { writes[$0].install }), .byteas(chunk.map { writes[$0].state }),
                    .int8s(chunk.map { writes[$0].expectedVersion }),
                ]
            )
        }
    }
}
