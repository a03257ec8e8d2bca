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

    /// What a commit has done.
    struct Applied {
        let outcome: CommitOutcome
        /// What has changed in the log, once the transaction is committed; `nil` for nothing.
        let change: LoggedRows.Change?

        init(_ outcome: CommitOutcome, _ change: LoggedRows.Change? = nil) {
            self.outcome = outcome
            self.change = change
        }
    }

    func apply(_ commit: StoreCommit) throws -> Applied {
        if let fence = try fence(of: commit.partitions) { return Applied(fence) }
        var change: LoggedRows.Change?
        if !commit.installs.isEmpty {
            let result = try SQLiteInstallWriter(queries).write(commit.installs, after: queries.logged)
            guard result.conflicts.isEmpty else { return Applied(.conflicts(try rows(of: result.conflicts))) }
            change = result.change
        }
        try writeRest(of: commit, erases: commit.erases)
        return Applied(.committed, change)
    }

    /// Applies a commit in batches, see ``BatchedStore/commit(moving:_:)``.
    func apply(
        moving partitions: [PartitionAdvance],
        _ body: (any RowTransaction) throws -> StoreCommit?
    ) throws -> Applied {
        if let fence = try fence(of: partitions) { return Applied(fence) }
        let rows = try SQLiteRowTransaction(queries)
        guard let rest = try body(rows) else { return Applied(.conflicts([])) }
        try writeRest(of: rest, erases: rows.hasErased)
        return Applied(.committed, .written)
    }

    /// ``CommitOutcome/fenced(_:)`` where a partition does not have the expected offset, or a new one was judged by a floor
    /// that is below the horizon now.
    private func fence(of partitions: [PartitionAdvance]) throws -> CommitOutcome? {
        let topic = try queries.topicProgress()
        let offsets = Dictionary(uniqueKeysWithValues: topic.partitions.map { ($0.partition, $0.nextOffset) })
        let areExpected = partitions.allSatisfy { advance in
            offsets[advance.partition] == advance.expectedOffset && advance.isAllowed(by: topic.horizon)
        }
        return areExpected ? nil : .fenced(topic.partitions)
    }

    /// Writes everything but the rows of installs.
    private func writeRest(of commit: StoreCommit, erases: Bool) throws {
        try write(commit.partitions)
        try write(commit.summary, mergesAll: erases)
        if let topic = commit.topic { try write(topic) }
        try write(firstKnown: commit.firstKnown)
    }

    /// The rows of conflicts. This transaction has not changed them, so they are as the other consumer left them.
    private func rows(of conflicts: [[UInt8]]) throws -> [StoredInstall] {
        let rows = try queries.installsAndErased(conflicts, history: .index)
        let found = Set(rows.map(\.install))
        return rows + conflicts.filter { !found.contains($0) }.map { .none($0) }
    }

    private func write(_ advances: [PartitionAdvance]) throws {
        let names = QualityColumns.names
        let sums = names.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", ")
        let statement = try SQLiteStatement(
            connection,
            """
            INSERT INTO partitions(
                partition, next_offset, floor, watermark, is_at_end, last_offset, last_timestamp, last_checksum,
                read_at,
                \(QualityColumns.list))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?\(String(repeating: ", ?", count: names.count)))
            ON CONFLICT (partition) DO UPDATE SET
                next_offset = excluded.next_offset, watermark = excluded.watermark,
                is_at_end = excluded.is_at_end,
                last_offset = coalesce(excluded.last_offset, last_offset),
                last_timestamp = coalesce(excluded.last_timestamp, last_timestamp),
                last_checksum = coalesce(excluded.last_checksum, last_checksum),
                read_at = coalesce(excluded.read_at, read_at), \(sums)
            """
        )
        for advance in advances {
            let values: [Int64?] =
                [
                    Int64(advance.partition), advance.nextOffset, advance.floor?.milliseconds,
                    advance.watermark?.milliseconds,
                    advance.isAtEnd ? 1 : 0, advance.lastRecord?.offset, advance.lastRecord?.timestamp,
                    advance.lastRecord?.checksum, advance.readAt?.milliseconds,
                ] + QualityColumns.values(of: advance.quality)
            for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
            try statement.run()
        }
    }

    func write(_ deltas: [SummaryDelta], mergesAll: Bool = false) throws {
        guard !deltas.isEmpty else { return }
        let segments = try SQLiteSegmentWriter(connection)
        let counts = try SQLiteResultCountWriter(connection)
        for delta in deltas {
            try segments.append(delta, mergesAll: mergesAll)
            try counts.add(delta.counts, to: delta.key)
        }
    }

    private func write(firstKnown days: [String: Day]) throws {
        guard !days.isEmpty else { return }
        let statement = try SQLiteStatement(
            connection,
            """
            INSERT INTO beginnings(funnel, first_known) VALUES (CAST(?1 AS TEXT), ?2)
            ON CONFLICT (funnel) DO UPDATE SET
                first_known = min(coalesce(first_known, excluded.first_known), excluded.first_known)
            """
        )
        for (name, day) in days {
            try statement.withBlob(Array(name.utf8), at: 1) {
                try statement.bind(Int64(day.number), at: 2)
                _ = try statement.run()
            }
        }
    }

    /// Keeps the greatest value of each setting.
    func write(_ settings: TopicSettings) throws {
        let statement = try SQLiteStatement(
            connection,
            """
            UPDATE identity SET partition_count = max(coalesce(partition_count, ?1), ?1),
                greatest_lateness = max(coalesce(greatest_lateness, ?2), ?2)
            WHERE partition_count IS NULL OR partition_count < ?1
                OR greatest_lateness IS NULL OR greatest_lateness < ?2
            """
        )
        try statement.bind(Int64(settings.partitionCount), at: 1)
        try statement.bind(settings.allowedLateness, at: 2)
        try statement.run()
    }
}
