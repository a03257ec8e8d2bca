import FlowEvents

/// Some of an interval's installs, whose events are counted and whose rows are written together.
///
/// ``FunnelCounter`` makes it. What an install's events change depends on no other install. So a large interval is counted in
/// several batches, whose rows are not in memory all at once.
///
/// ```swift
/// var batch = counter.batch(of: interval)
/// repeat {
///     if let missing = batch.missingRows { batch.load(try store.installs(missing)) }
///     batch.combine(try batch.tasks(4).map { try $0.counted() })   // each on any thread
/// } while !batch.isCounted
/// try store.write(batch.writes)
/// counter.confirm(batch)
/// ```
package struct CountingBatch: Sendable {
    let rules: CountingRules
    let horizon: Timestamp?
    let interval: EventInterval
    /// The installs, by their offsets in the interval.
    let installs: [Int]
    /// The rows of the installs, in their order, before their events are counted.
    private(set) var before: [StoredInstall]
    // The positions in `installs` of the rows to load next.
    private var missing: [Int]
    // The positions of the installs that are counted next, and whether that is with all of their histories.
    private var current: [Int]
    private(set) var needsHistory = false
    // The positions of the other installs that need their histories.
    private var waiting: [Int] = []
    // The installs that are counted, without the changes of the summary: these are added up once, for all batches.
    private(set) var counted = CountedInstalls()
    /// The changes of the summary, by task.
    private(set) var changes: [SummaryChanges] = []

    /// Rows that a batch needs from the store.
    package struct MissingRows: Sendable {
        /// The installs.
        package let installs: [[UInt8]]
        /// Whether all of their histories are needed, or the indices only.
        package let withHistory: Bool
    }

    /// - Parameters:
    ///   - installs: the installs, by their offsets in the interval.
    ///   - rows: their rows, as far as the cache has them; an install that it does not have has version 0.
    ///   - missing: the positions in `installs` of the others.
    init(
        _ rules: CountingRules,
        _ interval: EventInterval,
        _ installs: [Int],
        rows: [StoredInstall],
        missing: [Int],
        horizon: Timestamp?
    ) {
        self.rules = rules
        self.interval = interval
        self.installs = installs
        self.missing = missing
        self.horizon = horizon
        before = rows
        current = Array(rows.indices)
    }

    /// The rows to load before the next tasks; `nil` where there is none. Of many installs that need their histories, these
    /// are some: their histories are not in memory all at once.
    package var missingRows: MissingRows? {
        missing.isEmpty ? nil : MissingRows(installs: missing.map { before[$0].install }, withHistory: needsHistory)
    }

    /// Supplies the ``missingRows``. An install without a row is new.
    package mutating func load(_ rows: [StoredInstall]) {
        replace(rows, at: missing)
        missing = []
    }

    private mutating func replace(_ rows: [StoredInstall], at positions: some Sequence<Int>) {
        guard !rows.isEmpty else { return }
        let rows = Dictionary(rows.map { ($0.install, $0) }) { _, last in last }
        for position in positions { before[position] = rows[before[position].install] ?? before[position] }
    }

    /// Splits the work into tasks. All missing rows must be loaded. The caller runs each task, on any thread, and passes the
    /// results to ``combine(_:)``.
    ///
    /// - Parameters:
    ///   - count: the greatest number of tasks; more than 0.
    ///   - leastInstalls: the least number of installs in a task. Fewer are not worth another thread.
    package func tasks(_ count: Int, leastInstalls: Int = 512) -> [CountingTask] {
        let size = max(leastInstalls, (current.count + count - 1) / count)
        return stride(from: 0, to: current.count, by: size).map { start in
            CountingTask(batch: self, positions: current[start..<min(start + size, current.count)])
        }
    }

    /// Combines the results of ``tasks(_:leastInstalls:)``, in the order of the tasks.
    package mutating func combine(_ parts: [CountedInstalls]) {
        for part in parts {
            changes.append(part.changes)
            if counted.isEmpty { counted = part } else { counted.add(part) }
        }
        if needsHistory { for position in current { before[position] = before[position].withIndex } }
        waiting += counted.unread
        counted.unread = []
        current = []
        var room = FunnelBounds.historyBytesAtOnce
        while let position = waiting.first, room > 0 {
            waiting.removeFirst()
            current.append(position)
            room -= before[position].greatestHistoryByteCount
        }
        needsHistory = !current.isEmpty
        missing = current
    }

    /// Counts all installs on this thread.
    ///
    /// - Parameter rows: returns the ``missingRows``.
    package mutating func count(_ rows: (MissingRows) throws -> [StoredInstall]) throws {
        while !isCounted {
            if let missing = missingRows { load(try rows(missing)) }
            combine(try tasks(1).map { try $0.counted() })
        }
    }

    /// Whether all installs are counted.
    package var isCounted: Bool { current.isEmpty }

    /// The writes of the installs that have changed. They are complete where ``isCounted``.
    package var writes: [InstallWrite] { counted.writes }

    /// Counts again after the store has refused the writes because some rows have changed.
    ///
    /// - Parameter conflicts: the changed rows with their indices as the store has them; version 0 where the store has none.
    package mutating func resolve(_ conflicts: [StoredInstall]) {
        replace(conflicts, at: before.indices)
        current = Array(before.indices)
        missing = []
        waiting = []
        needsHistory = false
        counted = CountedInstalls()
        changes = []
    }

    /// The rows of the installs after they were counted, with the indices of their histories.
    var rowsAfter: [StoredInstall] {
        var rows = before.map(\.withIndex)
        for (position, row) in counted.rows { rows[position] = row }
        return rows
    }
}

/// What the batches of an interval change in the summary and the quality counts.
package struct CountedTotals: Sendable {
    private var changes = SummaryChanges()
    /// The changes of the quality counts, by partition.
    ///
    /// Counting finds ``Quality/duplicates``, ``Quality/completeness``, and ``Quality/capped`` by the partition of an install's
    /// last event.
    package private(set) var quality: [Int32: Quality] = [:]

    /// Creates totals without changes.
    package init() {}

    /// Creates the totals of one batch, which is counted.
    package init(_ batch: CountingBatch) { add(batch) }

    /// The changes of the summary.
    package func summary() -> [SummaryDelta] { changes.deltas() }

    /// Adds the changes of a batch that is counted.
    package mutating func add(_ batch: CountingBatch) {
        for part in batch.changes { changes.add(part) }
        quality.merge(batch.counted.quality, uniquingKeysWith: +)
    }
}

extension StoredInstall {
    /// The row with the index of its history only.
    var withIndex: StoredInstall {
        guard let last = history.last, last.number > HistoryIndex.rowNumber else { return self }
        return StoredInstall(install: install, version: version, state: state, history: history.index)
    }

    /// A number of bytes that all of its history mostly does not exceed.
    var greatestHistoryByteCount: Int {
        guard let index = try? HistoryIndex(history) else { return 4096 }
        return 4096 + index.eventCount * 64 + index.textByteCount
    }
}
