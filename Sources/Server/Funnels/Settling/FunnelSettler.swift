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
/// settler.load(try store.installs(settler.unloadedInstalls(), history: .catalog))
/// var settlement = try settler.settle()
/// while !settler.unreadHistories().isEmpty {
///     settler.load(try store.installs(settler.unreadHistories(), history: .all))
///     settlement = try settler.settle()
/// }
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
    // The rows of the interval's installs, in its order, before the open settlement.
    private var before: [StoredInstall] = []
    // The offsets in `before` of the installs that the cache does not have.
    private var unloaded: [Int] = []
    // The offsets of the installs that are settled next, and whether that is with all of their histories.
    private var current: [Int] = []
    private var needsHistory = false
    // The offsets of the other installs that need their histories.
    private var waiting: [Int] = []
    // The installs that are settled.
    private var settled = SettledPart()
    private var settling: InstallSettling

    /// The time before which events do not count any more, see ``EvidenceHorizon``; `nil` where events of any time
    /// count.
    package var horizon: Timestamp?
    /// How often the cache had the row of an install.
    package private(set) var hitCount: Int64 = 0
    /// How often the cache did not have the row of an install.
    package private(set) var missCount: Int64 = 0

    /// Creates a settler with an empty cache.
    package init(
        funnels: [Funnel],
        bounds: FunnelBounds = FunnelBounds(),
        timeZones: TimeZoneTables = TimeZoneTables()
    ) {
        rules = InstallRules(funnels: funnels, bounds: bounds, timeZones: timeZones)
        cache = InstallCache(byteLimit: bounds.cacheBytes)
        settling = InstallSettling(rules.layout)
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
            if let row = cache.row(of: entry, in: interval.installs) {
                before.append(row)
                continue
            }
            unloaded.append(offset)
            before.append(StoredInstall(install: interval.installs.text(of: entry), version: 0, state: []))
        }
        current = Array(before.indices)
        missCount += Int64(unloaded.count)
        hitCount += Int64(before.count - unloaded.count)
        self.interval = interval
    }

    /// The installs whose rows ``settle()`` needs, with their catalogs, and the cache does not have.
    package func unloadedInstalls() -> [[UInt8]] { unloaded.map { before[$0].install } }

    /// The installs that ``settle()`` could not settle without all of their histories. They must be loaded, and
    /// ``settle()`` be called again.
    ///
    /// Where there are many of them, these are some: their histories are not in memory all at once.
    package func unreadHistories() -> [[UInt8]] { needsHistory ? current.map { before[$0].install } : [] }

    private static let historiesAtOnce = 500

    /// Supplies the rows of ``unloadedInstalls()`` or of ``unreadHistories()``. An install without a row is new.
    package mutating func load(_ rows: [StoredInstall]) {
        replace(rows, at: needsHistory ? current : unloaded)
        unloaded = []
    }

    private mutating func replace(_ rows: [StoredInstall], at offsets: some Sequence<Int>) {
        guard !rows.isEmpty else { return }
        let rows = Dictionary(rows.map { ($0.install, $0) }) { _, last in last }
        for offset in offsets { before[offset] = rows[before[offset].install] ?? before[offset] }
    }

    /// Adds the interval's events to the evidence of their installs and returns the changes.
    ///
    /// All rows must be loaded. The changes are complete where ``unreadHistories()`` is empty after it.
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
        let size = max(leastInstalls, (current.count + count - 1) / count)
        return stride(from: 0, to: current.count, by: size).map { start in
            SettlementPart(
                rules: rules,
                interval: interval,
                rows: before,
                offsets: current[start..<min(start + size, current.count)],
                hasHistory: needsHistory,
                horizon: horizon
            )
        }
    }

    /// Combines the results of ``parts(_:leastInstalls:)``, in the order of the parts, into one settlement.
    package mutating func combine(_ parts: [SettledPart]) -> Settlement {
        for part in parts {
            visitedEvidence += part.visitedEvidence
            if settled.isEmpty { settled = part } else { settled.add(part) }
        }
        if needsHistory { for offset in current { before[offset] = before[offset].withCatalog } }
        waiting += settled.unread
        settled.unread = []
        current = Array(waiting.prefix(Self.historiesAtOnce))
        waiting.removeFirst(current.count)
        needsHistory = !current.isEmpty
        if !needsHistory { settled.settlement.summary = settled.changes.deltas() }
        return settled.settlement
    }

    /// Ends the interval after the store has committed the settlement.
    package mutating func confirm() {
        if let interval {
            for (offset, row) in settled.rows { before[offset] = row }
            for (row, entry) in zip(before, interval.installs.entries) { cache.put(row.withCatalog, of: entry) }
        }
        interval = nil
        settled = SettledPart()
        before.removeAll(keepingCapacity: true)
    }

    /// Begins the settlement of the interval again after the store has refused it because some rows have changed. Call
    /// ``settle()`` next.
    ///
    /// - Parameter conflicts: the changed rows with their catalogs as the store has them; version 0 where the store has
    ///   none.
    package mutating func resolve(_ conflicts: [StoredInstall]) {
        replace(conflicts, at: before.indices)
        current = Array(before.indices)
        waiting = []
        needsHistory = false
        settled = SettledPart()
    }

    /// Removes evidence from rows that no later event can make count again.
    ///
    /// - Parameter rows: rows with their catalogs, or with all of their history.
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
            switch try settling.pruned(row, rules, horizon: horizon) {
            case .unchanged: continue
            case .needsHistory: unread.append(row)
            case .changed(let state, let history):
                writes.append(row.write(state, history))
                // The write makes a new version. If it is refused, another consumer has made one.
                cache.remove(row.install)
            }
        }
        return (writes, unread)
    }

    /// Returns the changes that remove installs from all funnels which another count has found to have too many events.
    ///
    /// - Parameter rows: the installs' rows as the store has them, with all of their history.
    /// - Throws: ``DamagedState`` where a row cannot be read.
    package mutating func capping(_ rows: [StoredInstall]) throws(DamagedState) -> Settlement {
        var settlement = Settlement()
        var changes = SummaryChanges()
        for row in rows {
            guard case .changed(let state, let history) = try settling.capped(row, &changes) else { continue }
            settlement.installs.append(row.write(state, history))
        }
        settlement.summary = changes.deltas()
        return settlement
    }

    /// Returns the changes that remove events from the evidence of installs, as if they had been late.
    ///
    /// - Parameters:
    ///   - rows: the installs' rows with all of their history. No evidence was ever removed from them.
    ///   - names: the events, by install.
    /// - Throws: ``DamagedState`` where a row cannot be read.
    package mutating func leavingOut(
        _ names: [[UInt8]: Set<EventName>],
        of rows: [StoredInstall]
    ) throws(DamagedState) -> Settlement {
        var settlement = Settlement()
        var changes = SummaryChanges()
        for row in rows {
            let outcome = try settling.leavingOut(names[row.install] ?? [], of: row, rules, &changes)
            guard case .changed(let state, let history) = outcome else { continue }
            settlement.installs.append(row.write(state, history))
        }
        settlement.summary = changes.deltas()
        return settlement
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

    /// The row with the catalog of its history only.
    fileprivate var withCatalog: StoredInstall {
        guard let last = history.last, last.number > 0 else { return self }
        return StoredInstall(
            install: install,
            version: version,
            state: state,
            history: history.filter { $0.number <= 0 }
        )
    }
}
