import FunnelStore
import FunnelStoreSQLite
import Funnels

/// Writes the results of a rebuild to the store, inside the transaction of the rebuild.
struct RebuildWriter {
    let plan: FunnelRebuildPlan
    /// The topic, counted by the plan's funnels up to the store's offsets.
    let count: TopicCount
    /// The store with these counts.
    let scratch: SQLiteScratchStore
    /// The transitions of the funnels' time zones.
    let timeZones: TimeZoneTables

    /// Writes rows, summary, quality counts and funnels.
    ///
    /// - Throws: `StoreError`, `DamagedState`.
    func write(to store: any StoreRebuild) throws -> RebuildResult {
        var result = RebuildResult()
        result.recordCount = try count.recordCount
        var merger = InstallMerger(plan, isTopicComplete: count.isComplete, timeZones: timeZones)
        result.installCount = try scratch.reader().withAudit { try merge(store, $0, &merger) }
        // There are few: each has had more than 100,000 events.
        try count.cap(merger.keptCapped)
        try store.moveSummary(plan.moves)
        let names = plan.counted.map(\.name)
        let firstKnown = try scratch.reader().withAudit { counted in
            try addSummary(of: counted, to: store)
            return try names.reduce(into: [String: Day]()) { $0[$1] = try counted.summary.firstKnownDay(of: $1) }
        }
        try store.add(merger.keptSummary())
        try store.addCapped(merger.cappedCount)
        if count.isComplete {
            let counts = try scratch.store.progress().map { ($0.partition, $0.quality.duplicates) }
            try store.setDuplicates(Dictionary(uniqueKeysWithValues: counts))
        }
        if !names.isEmpty { result.completeFrom = count.firstComparableDay }
        try store.setFunnels(
            plan.funnels,
            counted: names,
            completeFrom: result.completeFrom,
            firstKnown: firstKnown
        )
        return result
    }

    /// Merges the counted installs into the store's rows, and adds rows for the others.
    ///
    /// New rows are written before the row that follows them in the store is left behind, so no row is read twice.
    ///
    /// - Returns: the number of rows written.
    private func merge(
        _ store: any StoreRebuild,
        _ counted: any FunnelAudit,
        _ merger: inout InstallMerger
    ) throws -> Int {
        var rows = JoinedRows(SortedRows(store.rows), SortedRows(counted.rows))
        var changed: [StoredInstall] = []
        var (byteCount, written) = (0, 0)
        func write() throws {
            try store.put(changed)
            written += changed.count
            changed = []
            byteCount = 0
        }
        while let (install, stored, counted) = try rows.next() {
            guard var merged = try merger.merge(install, stored: stored, counted: counted), merged != stored else {
                continue
            }
            merged.version += 1
            byteCount += merged.byteCount
            changed.append(merged)
            if byteCount >= RowLimit.batch.byteCount || changed.count >= RowLimit.batch.rowCount { try write() }
        }
        try write()
        return written
    }

    /// Adds the summary of the counted funnels.
    private func addSummary(of audit: any FunnelAudit, to store: any StoreRebuild) throws {
        for (funnel, source) in plan.sources.enumerated() where source == .counted {
            var segments: [SummaryKey: [[UInt8]]] = [:]
            var counts: [SummaryDelta] = []
            var byteCount = 0
            func add() throws {
                let segmented = try segments.map {
                    SummaryDelta(key: $0.key, segment: try SummarySegment.merged($0.value))
                }
                try store.add(counts + segmented)
                (segments, counts) = ([:], [])
                byteCount = 0
            }
            for byValue in [false, true] {
                try audit.forEachCount(funnel: funnel, byValue: byValue) { value, day, count in
                    let key = SummaryKey(funnel: funnel, value: value, day: day)
                    // Mostly the counts of a key come together.
                    if counts.last?.key != key { counts.append(SummaryDelta(key: key)) }
                    counts[counts.count - 1].counts.append(count)
                    byteCount += MemoryLayout<OutcomeCount>.stride + (value?.count ?? 0)
                    if byteCount >= RowLimit.batch.byteCount { try add() }
                }
                try audit.summary.forEachSegment(funnel: funnel, byValue: byValue, in: .all) {
                    value,
                    day,
                    body in
                    segments[SummaryKey(funnel: funnel, value: value, day: day), default: []].append(Array(body))
                    byteCount += body.count + (value?.count ?? 0)
                    // The segments of one key add up, whether or not they come together.
                    if byteCount >= RowLimit.batch.byteCount { try add() }
                }
            }
            try add()
        }
    }
}
