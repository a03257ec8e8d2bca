import FlowEvents

/// Some of a batch's installs, which one thread counts.
package struct CountingTask: Sendable {
    let batch: CountingBatch
    /// The positions of this task's installs in the batch.
    let positions: ArraySlice<Int>

    /// Counts the events of this task's installs.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read. The batch must not be used after that.
    package func counted() throws(DamagedState) -> CountedInstalls {
        let (rules, interval) = (batch.rules, batch.interval)
        var counter = InstallCounter(rules.matcher)
        var counted = CountedInstalls(rules.kernel)
        counted.writes.reserveCapacity(positions.count)
        counted.rows.reserveCapacity(positions.count)
        for position in positions {
            let row = batch.before[position]
            let install = InstallTable.Index(batch.installs[position])
            switch try counter.count(row, interval, install: install, rules, horizon: batch.horizon, &counted) {
            case .unchanged: continue
            case .needsHistory:
                // A block is missing.
                if batch.needsHistory { throw DamagedState(row) }
                counted.unread.append(position)
            case .changed(let state, let history):
                counted.writes.append(row.write(state, history))
                counted.rows.append((position, row.written(state: state, history: history)))
            case .erased:
                counted.writes.append(row.erasure)
                counted.rows.append((position, .erased(row.install)))
            }
        }
        return counted
    }
}

/// The result of a ``CountingTask``.
package struct CountedInstalls: Sendable {
    /// The rows of the installs with new evidence or new sequence numbers.
    var writes: [InstallWrite] = []
    /// The changes of the quality counts, by partition.
    var quality: [Int32: Quality] = [:]
    var changes: SummaryChanges
    /// The changed rows, by their positions in the batch.
    var rows: [(position: Int, row: StoredInstall)] = []
    /// The positions of the installs that were not counted, because all of their history is needed.
    var unread: [Int] = []

    /// - Parameter rules: the rules of the funnels; empty for results to which only others are added.
    init(_ rules: [FunnelRules] = []) {
        changes = SummaryChanges(rules)
    }

    /// Whether no install was counted.
    var isEmpty: Bool { writes.isEmpty && quality.isEmpty && unread.isEmpty }

    /// Adds the results of another task, without its summary.
    mutating func add(_ other: CountedInstalls) {
        writes += other.writes
        quality.merge(other.quality, uniquingKeysWith: +)
        rows += other.rows
        unread += other.unread
    }
}

/// The state in an install's row cannot be read: the store is damaged, or another version wrote it.
package struct DamagedState: Error, Sendable, Hashable {
    /// The install, as text.
    package var install: String
}
