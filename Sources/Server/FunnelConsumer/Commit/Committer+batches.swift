import FunnelStore
import Funnels

extension Committer {
    /// Commits an interval in several batches: each is counted on other threads while the one before is written.
    ///
    /// After that the counter's cache has the new rows. So if nothing was committed, the caller replaces the counter.
    mutating func commitInBatches(
        _ interval: EventInterval,
        _ advances: [PartitionAdvance],
        to store: any BatchedStore
    ) throws -> CommitOutcome {
        var partitions = advances
        var erased: [[UInt8]] = []
        let outcome = try store.commit(moving: advances) { rows in
            var totals = CountedTotals()
            var counted: CountingBatch?
            for installs in interval.batches(of: max(1, installsAtOnce / 2)) {
                var batch = counter.batch(of: interval, installs)
                func read(_ missing: CountingBatch.MissingRows) throws -> [StoredInstall] {
                    try rows.installs(missing.installs, history: missing.withHistory ? .all : .index)
                }
                try load(&batch, read)
                let work = TasksInWork(batch.tasks(Self.tasksOfBatch))
                if let counted, try !write(counted, to: rows, &totals) { return nil }
                batch.combine(try work.counted())
                try count(&batch, rows: read)
                erased += batch.writes.lazy.filter(\.erases).map(\.install)
                counted = batch
            }
            if let counted, try !write(counted, to: rows, &totals) { return nil }
            let commit = commit(advances, quality: totals.quality, summary: totals.summary())
            partitions = commit.partitions
            return commit
        }
        if outcome == .committed {
            metrics.recordCommitted(partitions)
            try tellErased(erased)
        }
        return outcome
    }

    // Most machines have fewer processors for it. A thread that begins late leaves some tasks to the others.
    private static let tasksOfBatch = 4

    /// - Returns: whether all rows had the expected versions.
    private mutating func write(
        _ batch: CountingBatch,
        to rows: any RowTransaction,
        _ totals: inout CountedTotals
    ) throws -> Bool {
        guard try rows.write(batch.writes) else { return false }
        counter.confirm(batch)
        totals.add(batch)
        return true
    }
}
