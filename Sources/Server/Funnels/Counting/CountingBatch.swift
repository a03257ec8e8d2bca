import FlowEvents

/// The settlement of some of an interval's installs: it adds their events to their evidence.
///
/// ``FunnelSettler`` makes it. A large interval is settled and written in portions, so that its rows are not in memory all
/// at once. What an install's events change depends on no other install, so portions can be settled in any order.
///
/// ```swift
/// var portion = settler.portion(of: interval, installs)
/// portion.load(try store.installs(portion.unloadedInstalls(), history: .catalog))
/// try portion.settle()
/// while !portion.unreadHistories().isEmpty {
///     portion.load(try store.installs(portion.unreadHistories(), history: .all))
///     try portion.settle()
/// }
/// ```
package struct PortionSettlement: Sendable {
    private let rules: CountingRules
    private let horizon: Timestamp?
    let interval: EventInterval
    /// The installs, by their offsets in the interval.
    let installs: [Int]
    /// The rows of the installs, in their order, before the settlement.
    private(set) var before: [StoredInstall]
    // The positions in `installs` of those that the cache does not have.
    private var unloaded: [Int]
    // The positions of the installs that are settled next, and whether that is with all of their histories.
    private var current: [Int]
    private var needsHistory = false
    // The positions of the other installs that need their histories.
    private var waiting: [Int] = []
    // The installs that are settled, without the changes of the summary: they are added up once, for all portions.
    private(set) var settled = SettledPart()
    /// The changes of the summary, by part.
    private(set) var changes: [SummaryChanges] = []
    /// The number of evidence events that were decoded.
    private(set) var visitedEvidence = 0

    /// - Parameters:
    ///   - installs: the installs, by their offsets in the interval.
    ///   - rows: their rows, as far as the cache has them; an install that it does not have has version 0.
    ///   - unloaded: the positions in `installs` of the others.
    init(
        _ rules: CountingRules,
        _ interval: EventInterval,
        _ installs: [Int],
        rows: [StoredInstall],
        unloaded: [Int],
        horizon: Timestamp?
    ) {
        self.rules = rules
        self.interval = interval
        self.installs = installs
        self.unloaded = unloaded
        self.horizon = horizon
        before = rows
        current = Array(rows.indices)
    }

    /// The installs whose rows are needed, with their catalogs, and the cache does not have.
    package func unloadedInstalls() -> [[UInt8]] { unloaded.map { before[$0].install } }

    /// The installs that could not be settled without all of their histories. They must be loaded, and the portion be
    /// settled again.
    ///
    /// Where there are many of them, these are some: their histories are not in memory all at once.
    package func unreadHistories() -> [[UInt8]] { needsHistory ? current.map { before[$0].install } : [] }

    private static let historiesAtOnce = 500

    /// The writes of the installs that have changed. They are complete where ``unreadHistories()`` is empty.
    package var writes: [InstallWrite] { settled.settlement.installs }

    /// Supplies the rows of ``unloadedInstalls()`` or of ``unreadHistories()``. An install without a row is new.
    package mutating func load(_ rows: [StoredInstall]) {
        replace(rows, at: needsHistory ? current : unloaded)
        unloaded = []
    }

    private mutating func replace(_ rows: [StoredInstall], at positions: some Sequence<Int>) {
        guard !rows.isEmpty else { return }
        let rows = Dictionary(rows.map { ($0.install, $0) }) { _, last in last }
        for position in positions { before[position] = rows[before[position].install] ?? before[position] }
    }

    /// Settles the installs on this thread. All rows must be loaded.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read. The settlement must not be used after that.
    package mutating func settle() throws(DamagedState) {
        var settled: [SettledPart] = []
        for part in parts(1) { settled.append(try part.settled()) }
        combine(settled)
    }

    /// Splits the work of ``settle()`` into parts. The caller settles each part, on any thread, and passes the results
    /// to ``combine(_:)``.
    ///
    /// - Parameters:
    ///   - count: the greatest number of parts; more than 0.
    ///   - leastInstalls: the least number of installs in a part. Fewer are not worth another thread.
    package func parts(_ count: Int, leastInstalls: Int = 512) -> [SettlementPart] {
        let size = max(leastInstalls, (current.count + count - 1) / count)
        return stride(from: 0, to: current.count, by: size).map { start in
            SettlementPart(
                rules: rules,
                interval: interval,
                installs: installs,
                rows: before,
                positions: current[start..<min(start + size, current.count)],
                hasHistory: needsHistory,
                horizon: horizon
            )
        }
    }

    /// Combines the results of ``parts(_:leastInstalls:)``, in the order of the parts.
    package mutating func combine(_ parts: [SettledPart]) {
        for part in parts {
            visitedEvidence += part.visitedEvidence
            changes.append(part.changes)
            if settled.isEmpty { settled = part } else { settled.add(part) }
        }
        if needsHistory { for position in current { before[position] = before[position].withCatalog } }
        waiting += settled.unread
        settled.unread = []
        current = Array(waiting.prefix(Self.historiesAtOnce))
        waiting.removeFirst(current.count)
        needsHistory = !current.isEmpty
    }

    /// Begins the settlement again after the store has refused it because some rows have changed.
    ///
    /// - Parameter conflicts: the changed rows with their catalogs as the store has them; version 0 where the store has
    ///   none.
    package mutating func resolve(_ conflicts: [StoredInstall]) {
        replace(conflicts, at: before.indices)
        current = Array(before.indices)
        waiting = []
        needsHistory = false
        settled = SettledPart()
        changes = []
    }

    /// All that the store has to change for these installs.
    var settlement: Settlement {
        var settlement = settled.settlement
        if !needsHistory {
            var totals = SettlementTotals()
            totals.add(self)
            settlement.summary = totals.summary()
        }
        return settlement
    }

    /// Calls `body` with the rows of the installs with their catalogs after the settlement, and with their offsets in the
    /// interval.
    func forEachRowAfter(_ body: (StoredInstall, _ offset: Int) -> Void) {
        // Mostly all rows have changed, in order. Those with histories come at the end, so a row may come twice.
        var next = 0
        for (position, row) in settled.rows {
            while next < position {
                body(before[next].withCatalog, installs[next])
                next += 1
            }
            next = max(next, position + 1)
            body(row, installs[position])
        }
        while next < before.count {
            body(before[next].withCatalog, installs[next])
            next += 1
        }
    }
}

/// What the portions of an interval change in the summary and the quality counts.
package struct SettlementTotals: Sendable {
    private var changes = SummaryChanges()
    /// The changes of the quality counts, by partition; see ``Settlement/quality``.
    package private(set) var quality: [Int32: Quality] = [:]

    /// Creates totals without changes.
    package init() {}

    /// The changes of the summary.
    package func summary() -> [SummaryDelta] { changes.deltas() }

    /// Adds the changes of a portion that is settled.
    package mutating func add(_ portion: PortionSettlement) {
        for part in portion.changes { changes.add(part) }
        quality.merge(portion.settled.settlement.quality, uniquingKeysWith: +)
    }
}

extension StoredInstall {
    /// The row with the catalog of its history only.
    var withCatalog: StoredInstall {
        guard let last = history.last, last.number > 0 else { return self }
        return StoredInstall(
            install: install,
            version: version,
            state: state,
            history: history.index
        )
    }
}
