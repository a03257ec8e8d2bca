public import FlowEvents

/// The second half of counting: unites an interval's events with what is known of their installs, and says what a store
/// has to change.
///
/// State is evidence: of each install its matching events are kept and the numbers of all, results are a pure function of
/// them, and a repeat changes nothing. A settlement is open from ``settle()`` to ``confirm()``; where the store refuses it, because
/// another consumer has written some of the rows, ``resolve(_:)`` unites with what stands there and works it out again.
///
/// ```swift
/// settler.begin(collector.takeInterval())
/// settler.load(try store.installs(settler.unloadedInstalls()))
/// let settlement = try settler.settle()
/// ```
///
/// Rows are kept between settlements as far as ``FunnelBounds/cacheBytes`` goes; any others are read again. Where
/// ``horizon`` is set, what is past is removed from the rows that are written anyway; ``pruned(_:)`` does the same for
/// rows of installs that do not come any more.
///
/// It has no I/O, clock or thread; it belongs to one thread at a time and gets the intervals of one collector, each once
/// and in order.
public struct FunnelSettler {
    private let rules: InstallRules
    private var cache: InstallCache
    private var interval: EventInterval?
    // The interval's installs, in its order, as they were before the settlement that is open, and as that makes them.
    private var before: [StoredInstall] = []
    private var after: [StoredInstall] = []
    // The places of those among them that were not at hand.
    private var unloaded: [Int] = []
    private var settling: InstallSettling

    /// Events before this time no longer count, see ``EvidenceHorizon``; `nil` where any may.
    public var horizon: Timestamp?
    /// How often an install's row was at hand.
    public private(set) var hitCount: Int64 = 0
    /// How often it was not.
    public private(set) var missCount: Int64 = 0

    /// Creates a settler that knows no install yet.
    public init(funnels: [Funnel], bounds: FunnelBounds = FunnelBounds()) {
        rules = InstallRules(funnels: funnels, bounds: bounds)
        cache = InstallCache(byteLimit: bounds.cacheBytes)
        settling = InstallSettling(funnelCount: funnels.count)
    }

    /// The installs that are at hand.
    public var installCount: Int { cache.count }

    /// What they take in memory, in bytes, roughly.
    public var cacheByteCount: Int { cache.byteCount }

    /// Whether an install that was at hand was let go of, so that one that is not may be in the store all the same.
    public var hasEvicted: Bool { cache.hasEvicted }

    /// The events of evidence that were gone through: what the work of settling grows with.
    private(set) var visitedEvidence = 0

    /// Takes over an interval; none may be open.
    public mutating func begin(_ interval: EventInterval) {
        precondition(self.interval == nil, "an interval is open: confirm it first")
        before.reserveCapacity(interval.installs.entries.count)
        for (place, entry) in interval.installs.entries.enumerated() {
            let row = interval.installs.withInstall(place) { install in
                if let row = cache.row(of: install, hash: entry.hash) { return row }
                unloaded.append(place)
                return StoredInstall(install: Array(install), version: 0, state: [])
            }
            before.append(row)
        }
        missCount += Int64(unloaded.count)
        hitCount += Int64(before.count - unloaded.count)
        self.interval = interval
    }

    /// The installs whose rows ``settle()`` needs and the settler does not have.
    public func unloadedInstalls() -> [[UInt8]] { unloaded.map { before[$0].install } }

    /// Takes over the rows of ``unloadedInstalls()``; those of them that have no row are new.
    public mutating func load(_ rows: [StoredInstall]) {
        let rows = Dictionary(rows.map { ($0.install, $0) }) { _, last in last }
        if !rows.isEmpty {
            for place in unloaded { before[place] = rows[before[place].install] ?? before[place] }
        }
        unloaded = []
    }

    /// Adds the interval's events to their installs' evidence and works out what that changes.
    ///
    /// Every install touched must have been loaded.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read; the settler must not be used any further.
    public mutating func settle() throws(DamagedState) -> Settlement {
        var settled: [SettledPart] = []
        for part in parts(1) { settled.append(try part.settled()) }
        return combine(settled)
    }

    /// The work of ``settle()``, shared out: each part is to be settled, on whatever thread, and all of them given to
    /// ``combine(_:)``.
    ///
    /// - Parameters:
    ///   - count: at most so many; more than 0.
    ///   - leastInstalls: so few installs are not shared out, as handing them to another thread would not be worth it.
    public func parts(_ count: Int, leastInstalls: Int = 512) -> [SettlementPart] {
        guard let interval else { return [] }
        let size = max(leastInstalls, (before.count + count - 1) / count)
        return stride(from: 0, to: before.count, by: size).map { start in
            let end = min(start + size, before.count)
            return SettlementPart(rules: rules, interval: interval, before: before[start..<end], horizon: horizon)
        }
    }

    /// Makes one settlement of the ``parts(_:)``, which must be in their order.
    public mutating func combine(_ parts: [SettledPart]) -> Settlement {
        after.removeAll(keepingCapacity: true)
        guard var whole = parts.first else { return Settlement(installs: [], summary: [], duplicates: [:]) }
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

    /// The open settlement is in the store.
    public mutating func confirm() {
        if let interval {
            for (row, entry) in zip(after, interval.installs.entries) { cache.put(row, hash: entry.hash) }
        }
        interval = nil
        before.removeAll(keepingCapacity: true)
        after.removeAll(keepingCapacity: true)
    }

    /// The store did not take over the open settlement, because these rows have changed since: works it out again.
    ///
    /// - Parameter conflicts: the rows as they stand; version 0 where there is none any more.
    /// - Throws: ``DamagedState``, as ``settle()``.
    public mutating func resolve(_ conflicts: [StoredInstall]) throws(DamagedState) -> Settlement {
        let rows = Dictionary(conflicts.map { ($0.install, $0) }) { _, last in last }
        for place in before.indices { before[place] = rows[before[place].install] ?? before[place] }
        return try settle()
    }

    /// Those of `rows` that are worth being written again without the evidence that is past, smaller and of the same
    /// version: they mean the same as before.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read.
    public mutating func pruned(_ rows: [StoredInstall]) throws(DamagedState) -> [StoredInstall] {
        guard let horizon else { return [] }
        var result: [StoredInstall] = []
        for row in rows {
            guard let state = try settling.pruned(row, rules, horizon: horizon) else { continue }
            result.append(StoredInstall(install: row.install, version: row.version, state: state))
        }
        return result
    }

    /// What takes installs out of the funnels although this count has not found that they have too many events.
    ///
    /// - Parameter rows: the installs' rows as they stand.
    /// - Throws: ``DamagedState`` where a row cannot be read.
    public mutating func capping(_ rows: [StoredInstall]) throws(DamagedState) -> Settlement {
        var settlement = Settlement(installs: [], summary: [], duplicates: [:])
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
