import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

/// Rows and segments in memory, with the conflict detection of a store.
struct SharedRows: SummarySource {
    private var rows: [[UInt8]: StoredInstall] = [:]
    private var segments: [SummaryKey: [[UInt8]]] = [:]
    var taken = Quality()
    /// How often all of an install's history was read.
    private(set) var historyReadCount = 0
    /// The writes of the last commit.
    private(set) var written: [InstallWrite] = []

    /// All rows, with all of their history.
    var all: [StoredInstall] { rows.values.sorted { $0.install.lexicographicallyPrecedes($1.install) } }

    /// All rows, with the indices of their histories.
    var indices: [StoredInstall] {
        all.map { row in
            var row = row
            row.history.removeAll { $0.number > 0 }
            return row
        }
    }

    /// Prunes all rows with an engine, as a pass over a store does.
    mutating func prune(with engine: inout FunnelEngine) throws {
        let (writes, unread) = try engine.counter.pruned(indices)
        historyReadCount += unread.count
        let more = try engine.counter.pruned(unread.compactMap { rows[$0.install] })
        #expect(more.unread.isEmpty)
        for write in writes + more.writes where rows[write.install]?.version == write.expectedVersion { apply(write) }
    }

    /// The rows that a batch needs.
    mutating func rows(_ missing: CountingBatch.MissingRows) -> [StoredInstall] {
        if missing.withHistory { historyReadCount += missing.installs.count }
        return missing.installs.compactMap { rows[$0] }.map { row in
            var row = row
            if !missing.withHistory { row.history.removeAll { $0.number > 0 } }
            return row
        }
    }

    private mutating func apply(_ write: InstallWrite) {
        // A store may keep the patch in place of the row.
        let previous = rows[write.install]?.state ?? []
        #expect(write.previousState == previous)
        #expect((try? StatePatch(from: previous, to: write.state).applied(to: previous)) == write.state)
        var history = Dictionary(uniqueKeysWithValues: (rows[write.install]?.history ?? []).map { ($0.number, $0) })
        for row in write.history { history[row.number] = row.state.isEmpty ? nil : row }
        rows[write.install] = StoredInstall(
            install: write.install,
            version: write.expectedVersion + 1,
            state: write.state,
            history: history.values.sorted { $0.number < $1.number }
        )
    }

    /// Counts the engine's interval and commits it, after resolving all conflicts.
    mutating func commit(_ engine: inout FunnelEngine) throws {
        var batch = try engine.count { rows($0) }
        while true {
            let conflicts = batch.writes.filter { rows[$0.install]?.version ?? 0 != $0.expectedVersion }
            if conflicts.isEmpty { break }
            let names = Set(conflicts.map(\.install))
            batch.resolve(indices.filter { names.contains($0.install) })
            try batch.countInTasks { rows($0) }
        }
        written = []
        var totals = CountedTotals()
        write(batch, &engine, &totals)
        try append(totals.summary())
        taken += totals.quality.values.reduce(Quality(), +)
    }

    /// Counts the engine's interval in batches, each while the one before is not written yet, as a consumer does that
    /// catches up.
    mutating func commitInBatches(_ engine: inout FunnelEngine, installs: Int) throws {
        let interval = engine.collector.takeInterval()
        var totals = CountedTotals()
        var counted: CountingBatch?
        written = []
        for installs in interval.batches(of: installs) {
            var batch = engine.counter.batch(of: interval, installs)
            try batch.countInTasks { rows($0) }
            if let counted { write(counted, &engine, &totals) }
            counted = batch
        }
        if let counted { write(counted, &engine, &totals) }
        try append(totals.summary())
        taken += totals.quality.values.reduce(Quality(), +)
    }

    private mutating func write(_ batch: CountingBatch, _ engine: inout FunnelEngine, _ totals: inout CountedTotals) {
        written += batch.writes
        for write in batch.writes {
            #expect(rows[write.install]?.version ?? 0 == write.expectedVersion)
            apply(write)
        }
        engine.counter.confirm(batch)
        totals.add(batch)
    }

    private mutating func append(_ summary: [SummaryDelta]) throws {
        for delta in summary {
            var old = segments[delta.key] ?? []
            let fold = SummarySegment.foldCount(existing: old.map(\.count), new: delta.segment.count)
            let merged = try SummarySegment.merged(Array(old.suffix(fold)) + [delta.segment])
            old.removeLast(fold)
            segments[delta.key] = merged.isEmpty ? old : old + [merged]
        }
    }

    func quality() -> Quality { taken }

    func timeZones(of funnels: [Funnel]) -> TimeZoneTables { .random }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        from: Day?,
        to: Day?,
        _ body: ([UInt8]?, Day, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        for (key, segments) in segments where key.funnel == funnel && (key.value != nil) == byValue {
            if let from, key.day < from { continue }
            if let to, to < key.day { continue }
            for segment in segments { try segment.withUnsafeBytes { try body(key.value, key.day, $0) } }
        }
    }
}

/// One engine with its own rows: it does the work of a consumer and a store.
struct EngineHarness: SummarySource {
    private var engine: FunnelEngine
    private var bounds = FunnelBounds()
    private(set) var rows = SharedRows()
    private var commitCount = 0

    init(funnels: [Funnel], shape: HistoryShape = HistoryShape()) {
        bounds.shape = shape
        engine = FunnelEngine(funnels: funnels, bounds: bounds, timeZones: .random)
    }

    mutating func insert(_ event: Event, isLate: Bool = false) throws {
        rows.taken.events += 1
        let isNotice = event.type == DropNotice.eventType
        let notice = isNotice ? try event.encoded().withUnsafeBytes { DropNotice(json: $0) } : nil
        EventFields.with(event, fields: engine.fields) {
            engine.insert($0, partition: 0, isLate: isLate, notice: notice)
        }
    }

    mutating func commit() throws {
        commitCount += 1
        // Every third interval is committed in batches of two installs.
        guard commitCount.isMultiple(of: 3) else { return try rows.commit(&engine) }
        try rows.commitInBatches(&engine, installs: 2)
    }

    /// Restarts from the rows, unless there are uncommitted events, which a restart would read again.
    mutating func restart() {
        guard engine.collector.isEmpty else { return }
        engine = FunnelEngine(funnels: engine.funnels, bounds: bounds, timeZones: .random)
    }

    func quality() -> Quality { rows.quality() }

    func timeZones(of funnels: [Funnel]) -> TimeZoneTables { rows.timeZones(of: funnels) }

    func forEachSegment(
        funnel: Int,
        byValue: Bool,
        from: Day?,
        to: Day?,
        _ body: ([UInt8]?, Day, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try rows.forEachSegment(funnel: funnel, byValue: byValue, from: from, to: to, body)
    }
}
