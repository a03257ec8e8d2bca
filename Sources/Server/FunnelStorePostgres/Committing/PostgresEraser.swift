import FunnelStore
import Funnels

/// Erases installs: deletes their rows with all of their history, and keeps keyed hashes of their ids.
///
/// The transaction must have excluded all other commits: a commit that inserts a row looks for its hash, and would miss one
/// that is not committed yet.
struct PostgresEraser {
    let queries: PostgresStoreQueries
    private var connection: PostgresConnection { queries.connection }

    /// - Returns: whether every row had the expected version.
    func erase(_ writes: [InstallWrite]) throws -> Bool {
        guard let key = try queries.erasureKey() else {
            throw queries.location.damaged("it has no key for erased installs")
        }
        for batch in StatementBatches(writes, indices: Array(writes.indices)) {
            let batch = batch.map { writes[$0] }
            let known = batch.filter { $0.expectedVersion > 0 }
            let deleted = try connection.execute(
                """
                DELETE FROM flow_funnels_installs i USING unnest($1::bytea[], $2::bigint[]) AS t(install, expected)
                WHERE i.install = t.install AND i.version = t.expected
                """,
                [.byteas(known.map(\.install)), .int8s(known.map(\.expectedVersion))]
            )
            let installs = batch.map(\.install)
            let left = try connection.execute(
                "SELECT count(*) FROM flow_funnels_installs WHERE install = ANY($1)",
                [.byteas(installs)]
            )
            guard deleted.changeCount == known.count, left.integer(0, 0) == 0 else { return false }
            try PostgresHistoryWriter(connection: connection).deleteAll(installs)
            try connection.execute(
                "INSERT INTO flow_funnels_erased_installs(hash) SELECT unnest($1::bytea[]) ON CONFLICT DO NOTHING",
                [.byteas(installs.map { key.hash(of: $0) })]
            )
        }
        return true
    }
}
