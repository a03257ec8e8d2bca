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
/// A large interval can be settled in portions instead, see ``portion(of:_:)``.
///
/// Rows stay in memory between settlements, up to ``FunnelBounds/cacheBytes``; others are read again. With a
/// ``horizon``, settling removes old evidence from the rows that it writes; ``pruned(_:)`` does the same for the rows
/// of inactive installs.
///
/// It has no I/O, clock or thread. It belongs to one thread at a time and takes the intervals of one collector, each
/// once and in order.
package struct FunnelSettler {
    private let rules: CountingRules
    private var cache: InstallCache
    // The interval that is settled as a whole.
    private var open: PortionSettlement?
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
        rules = CountingRules(funnels: funnels, bounds: bounds, timeZones: timeZones)
        cache = InstallCache(byteLimit: bounds.cacheBytes)
        settling = InstallSettling(rules.matcher)
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
        precondition(open == nil, "an interval is open: confirm it first")
        open = portion(of: interval, Array(interval.installs.entries.indices))
    }

    /// The installs whose rows ``settle()`` needs, with their catalogs, and the cache does not have.
    package func unloadedInstalls() -> [[UInt8]] { open?.unloadedInstalls() ?? [] }

    /// The installs that ``settle()`` could not settle without all of their histories, see
    /// ``PortionSettlement/unreadHistories()``.
    package func unreadHistories() -> [[UInt8]] { open?.unreadHistories() ?? [] }

    /// Supplies the rows of ``unloadedInstalls()`` or of ``unreadHistories()``. An install without a row is new.
    package mutating func load(_ rows: [StoredInstall]) { open?.load(rows) }

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

    /// Splits the work of ``settle()`` into parts, see ``PortionSettlement/parts(_:leastInstalls:)``.
    package func parts(_ count: Int, leastInstalls: Int = 512) -> [SettlementPart] {
        open?.parts(count, leastInstalls: leastInstalls) ?? []
    }

    /// Combines the results of ``parts(_:leastInstalls:)``, in the order of the parts, into one settlement.
    package mutating func combine(_ parts: [SettledPart]) -> Settlement {
        guard open != nil else { return Settlement() }
        visitedEvidence += parts.reduce(0) { $0 + $1.visitedEvidence }
        open?.combine(parts)
        return open?.settlement ?? Settlement()
    }

    /// Ends the interval after the store has committed the settlement.
    package mutating func confirm() {
        if let open { put(open) }
        open = nil
    }

    /// Begins the settlement of the interval again after the store has refused it because some rows have changed. Call
    /// ``settle()`` next.
    ///
    /// - Parameter conflicts: the changed rows with their catalogs as the store has them; version 0 where the store has
    ///   none.
    package mutating func resolve(_ conflicts: [StoredInstall]) { open?.resolve(conflicts) }

    /// Begins the settlement of some installs of an interval.
    ///
    /// - Parameter installs: the installs, by their offsets in the interval; see ``EventInterval/portions(of:)``.
    package mutating func portion(of interval: EventInterval, _ installs: [Int]) -> PortionSettlement {
        var rows: [StoredInstall] = []
        var unloaded: [Int] = []
        rows.reserveCapacity(installs.count)
        for (position, offset) in installs.enumerated() {
            if position.isMultiple(of: Self.preloadedCount) {
                cache.preload(installs[position...].prefix(Self.preloadedCount), of: interval.installs)
            }
            let entry = interval.installs.entries[offset]
            if let row = cache.row(of: entry, in: interval.installs) {
                rows.append(row)
            } else {
                unloaded.append(position)
                rows.append(StoredInstall(install: interval.installs.text(of: entry), version: 0, state: []))
            }
        }
        missCount += Int64(unloaded.count)
        hitCount += Int64(rows.count - unloaded.count)
        return PortionSettlement(rules, interval, installs, rows: rows, unloaded: unloaded, horizon: horizon)
    }

    /// Keeps the rows of a portion after the store has written it.
    ///
    /// If the store does not commit the transaction in the end, this settler must not be used any more.
    package mutating func confirm(_ portion: PortionSettlement) {
        visitedEvidence += portion.visitedEvidence
        put(portion)
    }

    private mutating func put(_ portion: PortionSettlement) {
        let installs = portion.interval.installs
        var position = 0
        portion.forEachRowAfter { row, offset in
            if position.isMultiple(of: Self.preloadedCount) {
                // Some rows come twice, so this is not always the position of the row.
                cache.preload(portion.installs.dropFirst(position).prefix(Self.preloadedCount), of: installs)
            }
            position += 1
            cache.put(row, of: installs.entries[offset])
        }
    }

    private static let preloadedCount = 32

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
}
