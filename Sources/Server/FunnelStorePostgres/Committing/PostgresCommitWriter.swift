import FlowEvents
import FunnelStore
import Funnels

/// Writes one commit. The caller begins the transaction, and commits it or rolls it back depending on the result.
///
/// The isolation level is read committed, with row locks. A commit locks a row before it compares the row, or compares
/// and changes it in one statement, which PostgreSQL
/// [evaluates again](https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED) once it has the
/// lock. The level serializable would fail commits that do not conflict.
///
/// All transactions lock in the same order, so that they never deadlock: the funnels (shared with other commits; one
/// that erases an install excludes them), the identity where what is known of the topic changes or partitions are new,
/// the known partitions by number, the installs by their bytes, the new partitions by number. No commit waits for
/// segments or for the counts of the view.
struct PostgresCommitWriter {
    /// Whether a commit was written, or what prevented it.
    enum Result {
        case written
        case partitionsMoved
        case versionsDiffer
        case funnelsChanged
    }

    let connection: PostgresConnection
    let location: PostgresStoreLocation
    let knownFunnels: KnownFunnels

    func apply(_ commit: StoreCommit) throws -> Result {
        let erases = commit.erases
        if erases {
            try PostgresSchema.lockFunnels(connection)
        } else {
            try PostgresSchema.lockFunnelsShared(connection)
        }
        // In a statement of its own, which sees the changes of a rebuild that the lock has waited for.
        let queries = PostgresStoreQueries(connection: connection, location: location)
        guard try knownFunnels.areCurrent(in: queries) else { return .funnelsChanged }
        if let topic = commit.topic { try Self.write(topic, to: connection) }
        if commit.partitions.contains(where: { $0.expectedOffset == nil }) {
            let horizon = try queries.lockHorizon(for: "SHARE")
            guard commit.partitions.allSatisfy({ $0.isAllowed(by: horizon) }) else { return .partitionsMoved }
        }
        guard try lockPartitions(commit.partitions) else { return .partitionsMoved }
        guard try write(erases ? commit.installs.filter { !$0.erases } : commit.installs, queries) else {
            return .versionsDiffer
        }
        if erases {
            guard try PostgresEraser(queries: queries).erase(commit.installs.filter(\.erases)) else {
                return .versionsDiffer
            }
        }
        try PostgresSegmentWriter(connection: connection).append(commit.summary, mergesAll: erases)
        try PostgresResultCountWriter(connection: connection).add(commit.summary)
        // New partitions come last. A transaction that inserts the same one, for which this statement waits, can itself
        // wait only for new partitions with higher numbers.
        guard try write(commit.partitions) else { return .partitionsMoved }
        // After everything that another transaction waits for.
        try Self.write(firstKnown: commit.firstKnown, to: connection)
        return .written
    }

    /// Returns the rows that do not have the versions which `writes` expect, with the indices of their histories. Called
    /// after the transaction has ended, in another one, whose statements all see one state.
    func conflicts(_ writes: [InstallWrite]) throws -> [StoredInstall] {
        var installs: [[UInt8]] = []
        for batch in StatementBatches(
            writes,
            indices: InstallOrder.indices(count: writes.count, by: { writes[$0].install })
        ) {
            let batch = batch.map { writes[$0] }
            let result = try connection.execute(
                """
                SELECT t.number
                FROM unnest($1::bytea[], $2::bigint[]) WITH ORDINALITY AS t(install, expected, number)
                LEFT JOIN flow_funnels_installs i ON i.install = t.install
                WHERE coalesce(i.version, 0) <> t.expected
                """,
                [.byteas(batch.map(\.install)), .int8s(batch.map(\.expectedVersion))]
            )
            installs += (0..<result.rowCount).map { batch[Int(result.integer($0, 0)) - 1].install }
        }
        let queries = PostgresStoreQueries(connection: connection, location: location)
        installs += try queries.erased(among: writes.filter(\.inserts).map(\.install))
        let rows = try queries.installsAndErased(installs, history: .index)
        let found = Set(rows.map(\.install))
        return rows + installs.filter { !found.contains($0) }.map { .none($0) }
    }

    /// - Returns: whether all partitions have the expected offsets.
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

    /// - Returns: whether every row had the expected version, and no new one is of an erased install.
    private func write(_ writes: [InstallWrite], _ queries: PostgresStoreQueries) throws -> Bool {
        let new = writes.lazy.filter(\.inserts).map(\.install)
        guard try new.isEmpty || queries.erased(among: Array(new)).isEmpty else { return false }
        for batch in StatementBatches(
            writes,
            indices: InstallOrder.indices(count: writes.count, by: { writes[$0].install })
        ) {
            // New and existing rows in one pass, because an insert also waits for a transaction that changes the row.
            // A write that expects a row where none is visible conflicts with one that erases the install.
            let result = try connection.execute(
                """
                INSERT INTO flow_funnels_installs AS i (install, version, state)
                SELECT t.install, t.expected + 1, t.state
                FROM unnest($1::bytea[], $2::bytea[], $3::bigint[]) AS t(install, state, expected)
                WHERE t.expected = 0 OR EXISTS (
                    SELECT 1 FROM flow_funnels_installs s WHERE s.install = t.install
                )
                ON CONFLICT (install) DO UPDATE SET version = excluded.version, state = excluded.state
                WHERE i.version = excluded.version - 1
                """,
                [
                    .byteas(batch.map { writes[$0].install }), .byteas(batch.map { writes[$0].state }),
                    .int8s(batch.map { writes[$0].expectedVersion }),
                ]
            )
            guard result.changeCount == batch.count else { return false }
            try PostgresHistoryWriter(connection: connection).write(batch.lazy.map { writes[$0] })
        }
        return true
    }

    /// - Returns: whether all new partitions were still new.
    private func write(_ advances: [PartitionAdvance]) throws -> Bool {
        let advances = advances.sorted { $0.partition < $1.partition }
        let (known, new) = (
            advances.filter { $0.expectedOffset != nil }, advances.filter { $0.expectedOffset == nil }
        )
        if !known.isEmpty {
            try connection.execute(
                """
                UPDATE flow_funnels_partitions p SET
                    next_offset = t.next_offset, watermark = t.watermark, is_at_end = t.is_at_end,
                    last_offset = coalesce(t.last_offset, p.last_offset),
                    last_timestamp = coalesce(t.last_timestamp, p.last_timestamp),
                    last_checksum = coalesce(t.last_checksum, p.last_checksum),
                    read_at = coalesce(t.read_at, p.read_at), \(Self.sums)
                FROM unnest(\(Self.columnTypes)) AS t(\(Self.columns)) WHERE p.partition = t.partition
                """,
                Self.values(known)
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

    /// Keeps the earliest first day that was read of each of these funnels.
    static func write(firstKnown days: [String: Day], to connection: PostgresConnection) throws {
        for (name, day) in days.sorted(by: { $0.key < $1.key }) {
            try connection.execute(
                """
                INSERT INTO flow_funnels_beginnings AS b (funnel, first_known) VALUES ($1, $2)
                ON CONFLICT (funnel) DO UPDATE SET first_known = least(b.first_known, excluded.first_known)
                """,
                [.text(name), .int4(day.number)]
            )
        }
    }

    /// Keeps the greatest value of each setting.
    static func write(_ settings: TopicSettings, to connection: PostgresConnection) throws {
        try connection.execute(
            """
            UPDATE flow_funnels_identity SET partition_count = greatest(partition_count, $1),
                greatest_lateness = greatest(greatest_lateness, $2)
            WHERE partition_count IS NULL OR partition_count < $1
                OR greatest_lateness IS NULL OR greatest_lateness < $2
            """,
            [.int4(settings.partitionCount), .int8(settings.allowedLateness)]
        )
    }

    private static let columns =
        "partition, next_offset, floor, watermark, is_at_end, last_offset, last_timestamp, last_checksum, read_at, "
        + QualityColumns.list
    private static let columnTypes =
        "$1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[], "
        + (6..<(10 + QualityColumns.names.count)).map { "$\($0)::bigint[]" }.joined(separator: ", ")
    private static let sums =
        QualityColumns.names.map { "\($0) = p.\($0) + t.\($0)" }.joined(separator: ", ")

    private static func values(_ advances: [PartitionAdvance]) -> [PostgresValue] {
        let counts = advances.map { QualityColumns.values(of: $0.quality) }
        return [
            .int4s(advances.map(\.partition)), .int8s(advances.map(\.nextOffset)),
            .int8s(advances.map { $0.floor?.milliseconds }),
            .int8s(advances.map { $0.watermark?.milliseconds }), .bools(advances.map(\.isAtEnd)),
            .int8s(advances.map { $0.lastRecord?.offset }), .int8s(advances.map { $0.lastRecord?.timestamp }),
            .int8s(advances.map { $0.lastRecord?.checksum }), .int8s(advances.map { $0.readAt?.milliseconds }),
        ] + QualityColumns.names.indices.map { index in .int8s(counts.map { $0[index] }) }
    }
}

extension InstallWrite {
    /// Whether the write makes a new row.
    fileprivate var inserts: Bool { expectedVersion == 0 && !erases }
}
