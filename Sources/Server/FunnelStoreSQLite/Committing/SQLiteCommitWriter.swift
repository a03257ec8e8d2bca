import FlowEvents
import FunnelStore
import Funnels

/// Writes one commit. The caller begins the transaction, and commits it or rolls it back depending on the outcome.
struct SQLiteCommitWriter {
    let queries: SQLiteStoreQueries
    private var connection: OpaquePointer { queries.connection }

    init(_ queries: SQLiteStoreQueries) {
        self.queries = queries
    }

    func apply(_ commit: StoreCommit) throws -> CommitOutcome {
        let progress = try queries.progress()
        let offsets = Dictionary(uniqueKeysWithValues: progress.map { ($0.partition, $0.nextOffset) })
        guard commit.partitions.allSatisfy({ offsets[$0.partition] == $0.expectedOffset }) else {
            return .fenced(progress)
        }
        let conflicts = try write(commit.installs)
        guard conflicts.isEmpty else {
            // This transaction has not written these rows, so they are as the other consumer left them.
            let rows = try queries.installs(conflicts)
            let found = Set(rows.map(\.install))
            return .conflicts(rows + conflicts.filter { !found.contains($0) }.map { .none($0) })
        }
        try write(commit.partitions)
        try write(commit.summary)
        return .committed
    }

    /// Replaces the states of the rows that still have the same version.
    func compact(_ rows: [InstallWrite]) throws {
        let update = try SQLiteStatement(
            connection,
            "UPDATE installs SET state = ?2, version = ?3 + 1 WHERE install = ?1 AND version = ?3"
        )
        for row in rows {
            try update.bind(row.expectedVersion, at: 3)
            try update.withBlob(row.install, at: 1) {
                _ = try update.withBlob(row.state, at: 2) { try update.run() }
            }
        }
    }

    /// - Returns: the installs whose rows do not have the expected version.
    private func write(_ writes: [InstallWrite]) throws -> [[UInt8]] {
        let insert = try SQLiteStatement(
            connection,
            "INSERT INTO installs(install, version, state) VALUES (?, 1, ?) ON CONFLICT DO NOTHING"
        )
        let update = try SQLiteStatement(
            connection,
            "UPDATE installs SET version = ?3 + 1, state = ?2 WHERE install = ?1 AND version = ?3"
        )
        var conflicts: [[UInt8]] = []
        for index in InstallOrder.indices(of: writes, by: \.install) {
            let write = writes[index]
            let changes: Int
            if write.expectedVersion == 0 {
                changes = try insert.withBlob(write.install, at: 1) {
                    try insert.withBlob(write.state, at: 2) { try insert.run() }
                }
            } else {
                try update.bind(write.expectedVersion, at: 3)
                changes = try update.withBlob(write.install, at: 1) {
                    try update.withBlob(write.state, at: 2) { try update.run() }
                }
            }
            if changes == 0 { conflicts.append(write.install) }
        }
        return conflicts
    }

    private func write(_ advances: [PartitionAdvance]) throws {
        let names = QualityColumns.names
        let sums = names.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", ")
        let statement = try SQLiteStatement(
            connection,
            """
            INSERT INTO partitions(partition, next_offset, watermark, \(QualityColumns.list))
            VALUES (?, ?, ?\(String(repeating: ", ?", count: names.count)))
            ON CONFLICT (partition) DO UPDATE SET
                next_offset = excluded.next_offset, watermark = excluded.watermark, \(sums)
            """
        )
        for advance in advances {
            let values: [Int64?] =
                [Int64(advance.partition), advance.nextOffset, advance.watermark?.milliseconds]
                + QualityColumns.values(of: advance.quality)
            for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
            try statement.run()
        }
    }

    private func write(_ deltas: [SummaryDelta]) throws {
        guard !deltas.isEmpty else { return }
        let segments = try SQLiteSegmentWriter(connection)
        for delta in deltas { try segments.append(delta) }
    }
}
