import FlowEvents
import FunnelStore
import Funnels

/// Writes one commit inside a transaction that somebody else begins, and ends as the outcome says.
///
/// Read committed with row locks: what a commit compares it locks first or changes in the same statement, which
/// PostgreSQL [compares again](https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED) once the
/// row's lock is had. Serializable would fail commits that have nothing to do with each other. Everybody takes locks in
/// one order, so that nobody waits in a circle: the funnels, shared with other commits, partitions by number, installs by
/// their bytes, new partitions by number. The summary's segments are never waited for.
struct PostgresCommitWriter {
    /// What was found in the way.
    enum Finding {
        case nothing
        case movedPartitions
        case otherVersions
        case otherFunnels
    }

    let connection: PostgresConnection
    let place: PostgresPlace
    /// That of the funnels which the consumer knows.
    let generation: Int64?

    func apply(_ commit: StoreCommit) throws -> Finding {
        try PostgresSchema.lockFunnelsShared(connection)
        // A statement of its own, so that it sees what a rebuild has written that was waited for.
        let queries = PostgresStoreQueries(connection: connection, place: place)
        guard try queries.generation() == generation else { return .otherFunnels }
        guard try lockPartitions(commit.partitions) else { return .movedPartitions }
        guard try write(commit.installs) else { return .otherVersions }
        try PostgresSegmentWriter(connection: connection).append(commit.summary)
        // Partitions that nobody had come last: a rival for the same one, who is waited for here, has nothing left to
        // wait for but new partitions of higher numbers.
        guard try write(commit.partitions) else { return .movedPartitions }
        return .nothing
    }

    /// The rows among `writes` that are not as expected, outside of the transaction that found so.
    func conflicts(_ writes: [InstallWrite]) throws -> [StoredInstall] {
        var rows: [StoredInstall] = []
        for chunk in InstallChunks(writes, indices: InstallOrder.indices(of: writes, by: \.install)) {
            let chunk = chunk.map { writes[$0] }
            let result = try connection.execute(
                """
                SELECT t.number, coalesce(i.version, 0), coalesce(i.state, ''::bytea)
                FROM unnest($1::bytea[], $2::bigint[]) WITH ORDINALITY AS t(install, expected, number)
                LEFT JOIN flow_funnels_installs i ON i.install = \(InstallKey.sql("t.install"))
                WHERE coalesce(i.version, 0) <> t.expected
                """,
                [.byteas(chunk.map(\.install)), .int8s(chunk.map(\.expectedVersion))]
            )
            for row in 0..<result.rowCount {
                let install = chunk[Int(result.integer(row, 0)) - 1].install
                rows.append(
                    StoredInstall(install: install, version: result.integer(row, 1), state: result.bytes(row, 2))
                )
            }
        }
        return rows
    }

    /// - Returns: whether all stand where they are expected to.
    private func lockPartitions(_ advances: [PartitionAdvance]) throws -> Bool {
        guard !advances.isEmpty else { return true }
        let result = try connection.execute(
            """
            SELECT partition, next_offset FROM flow_funnels_partitions WHERE partition = ANY($1)
            ORDER BY partition FOR UPDATE
            """,
            [.int4s(advances.map(\.partition))]
        )
        var offsets: [Int64: Int64] = [:]
        for row in 0..<result.rowCount { offsets[result.integer(row, 0)] = result.integer(row, 1) }
        return advances.allSatisfy { offsets[Int64($0.partition)] == $0.expectedOffset }
    }

    /// - Returns: whether every row was as expected.
    private func write(_ writes: [InstallWrite]) throws -> Bool {
        for chunk in InstallChunks(writes, indices: InstallOrder.indices(of: writes, by: \.install)) {
            // New rows and standing ones in one pass: also an insert waits where the row is there and being changed.
            // Rows are never removed, so one that has a version but is not seen is a conflict, not a new one.
            let result = try connection.execute(
                """
                INSERT INTO flow_funnels_installs AS i (install, version, state)
                SELECT \(InstallKey.sql("t.install")), t.expected + 1, t.state
                FROM unnest($1::bytea[], $2::bytea[], $3::bigint[]) AS t(install, state, expected)
                WHERE t.expected = 0 OR EXISTS (
                    SELECT 1 FROM flow_funnels_installs s WHERE s.install = \(InstallKey.sql("t.install"))
                )
                ON CONFLICT (install) DO UPDATE SET version = excluded.version, state = excluded.state
                WHERE i.version = excluded.version - 1
                """,
                [
                    .byteas(chunk.map { writes[$0].install }), .byteas(chunk.map { writes[$0].state }),
                    .int8s(chunk.map { writes[$0].expectedVersion }),
                ]
            )
            guard result.changeCount == chunk.count else { return false }
        }
        return true
    }

    /// - Returns: whether no partition that nobody had was begun by another meanwhile.
    private func write(_ advances: [PartitionAdvance]) throws -> Bool {
        let advances = advances.sorted { $0.partition < $1.partition }
        let (standing, new) = (
            advances.filter { $0.expectedOffset != nil }, advances.filter { $0.expectedOffset == nil }
        )
        if !standing.isEmpty {
            try connection.execute(
                """
                UPDATE flow_funnels_partitions p SET
                    next_offset = t.next_offset, watermark = t.watermark, \(Self.sums)
                FROM unnest(\(Self.columnTypes)) AS t(\(Self.columns)) WHERE p.partition = t.partition
                """,
                Self.values(standing)
            )
        }
        guard !new.isEmpty else { return true }
        let result = try connection.execute(
            """
            INSERT INTO flow_funnels_partitions(\(Self.columns))
            SELECT * FROM unnest(\(Self.columnTypes)) ON CONFLICT DO NOTHING
            """,
            Self.values(new)
        )
        return result.changeCount == new.count
    }

    private static let columns = "partition, next_offset, watermark, " + Quality.columnNames
    private static let columnTypes =
        "$1::int[], " + (2..<(4 + Quality.columns.count)).map { "$\($0)::bigint[]" }.joined(separator: ", ")
    private static let sums =
        Quality.columns.map { "\($0.name) = p.\($0.name) + t.\($0.name)" }.joined(separator: ", ")

    private static func values(_ advances: [PartitionAdvance]) -> [PostgresValue] {
        [
            .int4s(advances.map(\.partition)), .int8s(advances.map(\.nextOffset)),
            .int8s(advances.map { $0.watermark?.milliseconds }),
        ] + Quality.columns.map { column in .int8s(advances.map { $0.quality[keyPath: column.count] }) }
    }
}
