import FlowEvents

/// The second half of counting: adds the events of an interval to the evidence of their installs, and returns what a
/// store has to change.
///
/// The state of an install is evidence: its matching events and all its sequence numbers. Results are a pure function
/// of the evidence, and a repeated event changes nothing. A settlement is open from ``settle()`` to ``confirm()``.
/// When the store refuses it because another consumer has written some of the rows, ``resolve(_:)`` settles again with
/// the rows of the store.
///
/// ```swift
/// settler.begin(collector.takeInterval())
/// settler.load(try store.installs(settler.unloadedInstalls()))
/// let settlement = try settler.settle()
/// ```
///
/// Rows stay in memory between settlements, up to ``FunnelBounds/cacheBytes``; others are read again. With a
/// ``horizon``, settling removes old evidence from the rows that it writes; ``pruned(_:)`` does the same for the rows
/// of inactive installs.
///
/// It has no I/O, clock or thread. It belongs to one thread at a time and takes the intervals of one collector, each
/// once and in order.
package struct FunnelSettler {
    private let rules: InstallRules
    private var cache: InstallCache
    private var interval: EventInterval?
    // The rows of the interval's installs, in its order, before and after the open settlement.
    private var before: [StoredInstall] = []
    private var after: [StoredInstall] = []
    // The offsets in `before` of the installs that the cache does not have.
    private var unloaded: [Int] = []
    private var settling: InstallSettling

    /// The time before which events do not count any more, see ``EvidenceHorizon``; `nil` where events of any time
    /// count.
    package var horizon: Timestamp?
    /// How often the cache had the row of an install.
    package private(set) var hitCount: Int64 = 0
    /// How often the cache did not have the row of an install.
    package private(set) var missCount: Int64 = 0

    /// Creates a settler with an empty cache.
    package init(funnels: [Funnel], bounds: FunnelBounds = FunnelBounds()) {
        rules = InstallRules(funnels: funnels, bounds: bounds)
        cache = InstallCache(byteLimit: bounds.cacheBytes)
        settling = InstallSettling(funnelCount: funnels.count)
    }

    /// The number of installs in the cache.
    package var installCount: Int { cache.count }

    /// The memory that the cache takes, in bytes, approximately.
    package var cacheByteCount: Int { cache.byteCount }

    /// Whether a row was ever evicted from the cache. If not, an install that the cache does not have is new.
    package var hasEvicted: Bool { cache.hasEvicted }

    /// The number of evidence events that were decoded, to which the work of settling is proportional.
    private(set) var visitedEvidence = 0

    /// Begins an interval. The previous interval must be confirmed.
    package mutating func begin(_ interval: EventInterval) {
        precondition(self.interval == nil, "an interval is open: confirm it first")
        before.reserveCapacity(interval.installs.entries.count)
        for (offset, entry) in interval.installs.entries.enumerated() {
            let row = interval.installs.withID(of: entry) { install in
                if let row = cache.row(of: install, hash: entry.hash) { return row }
                unloaded.append(offset)
                return StoredInstall(install: Array(install), version: 0, state: [])
            }
            before.append(row)
        }
        missCount += Int64(unloaded.count)
        hitCount += Int64(before.count - unloaded.count)
        self.interval = interval
    }

    /// The installs whose rows ``settle()`` needs and the cache does not have.
    package func unloadedInstalls() -> [[UInt8]] { unloaded.map { before[$0].install } }

    /// Supplies the rows of ``unloadedInstalls()``. An install without a row is new.
    package mutating func load(_ rows: [StoredInstall]) {
        let rows = Dictionary(rows.map { ($0.install, $0) }) { _, last in last }
        if !rows.isEmpty {
            for offset in unloaded { before[offset] = rows[before[offset].install] ?? before[offset] }
        }
        unloaded = []
    }

    /// Adds the interval's events to the evidence of their installs and returns the changes.
    ///
    /// All rows must be loaded.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read. The settler must not be used after that.
    package mutating func settle() throws(DamagedState) -> Settlement {
        var settled: [SettledPart] = []
        for part in parts(1) { settled.append(try part.settled()) }
        return combine(settled)
    }

    /// Splits the work of ``settle()`` into parts. The caller settles each part, on any thread, and passes the results
    /// to ``combine(_:)``.
    ///
    /// - Parameters:
    ///   - count: the greatest number of parts; more than 0.
    ///   - leastInstalls: the least number of installs in a part. Fewer are not worth another thread.
    package func parts(_ count: Int, leastInstalls: Int = 512) -> [SettlementPart] {
        guard let interval else { return [] }
        let size = max(leastInstalls, (before.count + count - 1) / count)
        return stride(from: 0, to: before.count, by: size).map { start in
            let end = min(start + size, before.count)
            return SettlementPart(rules: rules, interval: interval, before: before[start..<end], horizon: horizon)
        }
    }

    /// Combines the results of ``parts(_:leastInstalls:)``, in the order of the parts, into one settlement.
    package mutating func combine(_ parts: [SettledPart]) -> Settlement {
        after.removeAll(keepingCapacity: true)
        guard var whole = parts.first else { return Settlement() }
        visitedEvidence += parts.reduce(0) { $0 + $1.visitedEvidence }
        for part in parts.dropFirst() {
            whole.settlement.add(part.settlement)
            whole.changes.add(part.changes)
            whole.after += part.after
        }
        after = whole.after
        whole.settlement.summary = whole.changes.deltas()
        return whole.settlement
    }

    /// Ends the interval after the store has committed the settlement.
    package mutating func confirm() {
        if let interval {
            for (row, entry) in zip(after, interval.installs.entries) { cache.put(row, hash: entry.hash) }
        }
        interval = nil
        before.removeAll(keepingCapacity: true)
        after.removeAll(keepingCapacity: true)
    }

    /// Settles the interval again after the store has refused the settlement because some rows have changed.
    ///
    /// - Parameter conflicts: the changed rows as the store has them; version 0 where the store has none.
    /// - Throws: ``DamagedState``, as ``settle()`` does.
    package mutating func resolve(_ conflicts: [StoredInstall]) throws(DamagedState) -> Settlement {
        let rows = Dictionary(conflicts.map { ($0.install, $0) }) { _, last in last }
        for offset in before.indices { before[offset] = rows[before[offset].install] ?? before[offset] }
        return try settle()
    }

    /// Removes evidence from rows that no later event can make count again.
    ///
    /// A smaller row has the same meaning and the same version as before.
    ///
    /// - Returns: the rows of which enough can be removed to write them again.
    /// - Throws: ``DamagedState`` where a row cannot be read.
    package mutating func pruned(_ rows: [StoredInstall]) throws(DamagedState) -> [StoredInstall] {
        guard let horizon else { return [] }
        var result: [StoredInstall] = []
        for row in rows {
            guard let state = try settling.pruned(row, rules, horizon: horizon) else { continue }
            result.append(StoredInstall(install: row.install, version: row.version, state: state))
        }
        return result
    }

    /// Returns the changes that remove installs from all funnels which another count has found to have too many events.
    ///
    /// - Parameter rows: the installs' rows as the store has them.
    /// - Throws: ``DamagedState`` where a row cannot be read.
    package mutating func capping(_ rows: [StoredInstall]) throws(DamagedState) -> Settlement {
        var settlement = Settlement()
        var changes = SummaryChanges()
        for row in rows {
            guard let state = try settling.capped(row, &changes) else { continue }
            settlement.installs.append(
                InstallWrite(install: row.install, expectedVersion: row.version, state: state)
            )
        }
        settlement.summary = changes.deltas()
        return settlement
    }
}
