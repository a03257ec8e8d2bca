import FlowEvents

/// The second half of counting: adds the events of an interval to the evidence of their installs, and returns what a store has
/// to change.
///
/// The state of an install is evidence: the events that funnels need and all its sequence numbers. Outcomes are a pure
/// function of the evidence, and a repeated event changes nothing. When the store refuses a write because another consumer has
/// written some of the rows, the events are counted again with the rows of the store, see ``CountingBatch``.
///
/// Rows stay in memory between intervals, up to ``FunnelBounds/cacheBytes``; others are read again. With a ``horizon``,
/// counting removes old evidence from the rows that it writes; ``pruned(_:)`` does the same for the rows of inactive installs.
///
/// It has no I/O, clock or thread. It belongs to one thread at a time and takes the intervals of one collector, each once and
/// in order.
package struct FunnelCounter {
    private let rules: CountingRules
    private var cache: InstallCache
    private var counter: InstallCounter

    /// The time before which events do not count any more, see ``EvidenceHorizon``; `nil` where events of any time
    /// count.
    package var horizon: Timestamp?
    /// How often the cache had the row of an install.
    package private(set) var hitCount: Int64 = 0
    /// How often the cache did not have the row of an install.
    package private(set) var missCount: Int64 = 0

    /// Creates a counter with an empty cache.
    package init(
        funnels: [Funnel],
        bounds: FunnelBounds = FunnelBounds(),
        timeZones: TimeZoneTables = TimeZoneTables()
    ) {
        rules = CountingRules(funnels: funnels, bounds: bounds, timeZones: timeZones)
        cache = InstallCache(byteLimit: bounds.cacheBytes)
        counter = InstallCounter(rules.matcher)
    }

    /// The number of installs in the cache.
    package var installCount: Int { cache.count }

    /// The memory that the cache takes, in bytes, approximately.
    package var cacheByteCount: Int { cache.byteCount }

    /// Whether a row was ever evicted from the cache. If not, an install that the cache does not have is new.
    package var hasEvicted: Bool { cache.hasEvicted }

    /// Begins to count some installs of an interval. Their batches before must be confirmed, or never be.
    ///
    /// - Parameter installs: the installs, by their offsets in the interval, see ``EventInterval/batches(of:)``; `nil` for
    ///   all of them.
    package mutating func batch(of interval: EventInterval, _ installs: [Int]? = nil) -> CountingBatch {
        let installs = installs ?? Array(interval.installs.entries.indices)
        var rows: [StoredInstall] = []
        var missing: [Int] = []
        rows.reserveCapacity(installs.count)
        for (position, offset) in installs.enumerated() {
            let entry = interval.installs.entries[offset]
            if let row = cache.row(of: entry, in: interval.installs) {
                rows.append(row)
            } else {
                missing.append(position)
                rows.append(StoredInstall(install: interval.installs.text(of: entry), version: 0, state: []))
            }
        }
        missCount += Int64(missing.count)
        hitCount += Int64(rows.count - missing.count)
        return CountingBatch(rules, interval, installs, rows: rows, missing: missing, horizon: horizon)
    }

    /// Keeps the rows of a batch after the store has written it.
    ///
    /// If the store does not commit the transaction in the end, this counter must not be used any more.
    package mutating func confirm(_ batch: CountingBatch) {
        let installs = batch.interval.installs
        for (row, offset) in zip(batch.rowsAfter, batch.installs) { cache.put(row, of: installs.entries[offset]) }
    }

    /// Removes evidence from rows that no later event can make count again.
    ///
    /// - Parameter rows: rows with the indices of their histories, or with all of their history.
    /// - Returns: the writes of the rows of which enough can be removed, and the rows of which this can only be said
    ///   with all of their history: read it and call the method with them again.
    /// - Throws: ``DamagedState`` where a row cannot be read.
    package mutating func pruned(_ rows: [StoredInstall]) throws(DamagedState)
        -> (writes: [InstallWrite], unread: [StoredInstall])
    {
        guard let horizon else { return ([], []) }
        var writes: [InstallWrite] = []
        var unread: [StoredInstall] = []
        for row in rows {
            switch try counter.pruned(row, rules, horizon: horizon) {
            case .unchanged, .erased: continue
            case .needsHistory: unread.append(row)
            case .changed(let state, let history):
                writes.append(row.write(state, history))
                // The write makes a new version. If it is refused, another consumer has made one.
                cache.remove(row.install)
            }
        }
        return (writes, unread)
    }

    /// Takes installs out of all funnels, because another count has found too many events of them.
    ///
    /// - Parameter rows: the installs' rows as the store has them, with all of their history.
    /// - Returns: the writes of the rows that change, and the changes of the summary.
    /// - Throws: ``DamagedState`` where a row cannot be read.
    package mutating func capped(_ rows: [StoredInstall]) throws(DamagedState)
        -> (writes: [InstallWrite], summary: [SummaryDelta])
    {
        var writes: [InstallWrite] = []
        var changes = SummaryChanges(rules.kernel)
        for row in rows where !row.isErased {
            guard case .changed(let state, let history) = try counter.capped(row, &changes) else { continue }
            writes.append(row.write(state, history))
            cache.remove(row.install)
        }
        return (writes, changes.deltas())
    }
}

extension StoredInstall {
    /// A write that is based on this row.
    func write(_ newState: [UInt8], _ history: [HistoryRow]) -> InstallWrite {
        InstallWrite(
            install: install,
            expectedVersion: version,
            previousState: state,
            state: newState,
            history: history
        )
    }

    /// A write that erases the install of this row.
    var erasure: InstallWrite {
        var write = InstallWrite(install: install, expectedVersion: version, state: [])
        write.erases = true
        return write
    }
}
