import FunnelStore
import Funnels

/// Writes the results of a rebuild to the store, inside the transaction of the rebuild.
struct RebuildWriter {
    let plan: FunnelRebuildPlan
    /// The topic, counted by the plan's funnels up to the store's offsets.
    private var replay: TopicReplay
    private let rowsAtOnce = 2_000

    init(plan: FunnelRebuildPlan, replay: TopicReplay) {
        self.plan = plan
        self.replay = replay
    }

    /// Writes rows, summary, quality counts and funnels.
    ///
    /// - Throws: `StoreError`, `DamagedState`.
    mutating func write(to store: any StoreRebuild) throws -> RebuildResult {
        var result = RebuildResult()
        result.recordCount = replay.recordCount
        var merger = InstallMerger(plan, isTopicComplete: replay.isComplete, timeZones: replay.timeZones)
        let counted = try countedRows(store)
        result.installCount = try writeInstalls(counted, &merger, store)
        try replay.cap(merger.keptCapped.compactMap { counted[$0]?.install })
        try writeSummary(store)
        try store.add(merger.keptSummary())
        try store.addCapped(merger.cappedCount)
        if replay.isComplete {
            let counts = try replay.store.progress().map { ($0.partition, $0.quality.duplicates) }
            try store.setDuplicates(Dictionary(uniqueKeysWithValues: counts))
        }
        let names = plan.counted.map(\.name)
        if !names.isEmpty { result.completeFrom = replay.firstComparableDay }
        let firstKnown = try replay.store.withSnapshot { source in
            try names.reduce(into: [String: Day]()) { $0[$1] = try source.firstKnownDay(of: $1) }
        }
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
    /// - Returns: the number of rows written.
    private func writeInstalls(
        _ counted: [[UInt8]: StoredInstall],
        _ merger: inout InstallMerger,
        _ store: any StoreRebuild
    ) throws -> Int {
        var counted = counted
        var written = 0
        var last: [UInt8]?
        while true {
            let rows = try store.rows(after: last, limit: rowsAtOnce)
            guard let end = rows.last else { break }
            last = end.install
            var changed: [StoredInstall] = []
            for row in rows {
                let merged = try merger.merge(
                    row.install,
                    stored: row,
                    counted: counted.removeValue(forKey: row.install)
                )
                guard var merged, merged != row else { continue }
                merged.version += 1
                changed.append(merged)
            }
            try store.put(changed)
            written += changed.count
        }
        return try written + writeNew(counted, &merger, store)
    }

    /// Adds rows for installs that the store has no rows of.
    ///
    /// - Returns: the number of rows written.
    private func writeNew(
        _ counted: [[UInt8]: StoredInstall],
        _ merger: inout InstallMerger,
        _ store: any StoreRebuild
    ) throws -> Int {
        let keys = counted.keys.sorted { $0.lexicographicallyPrecedes($1) }
        var written = 0
        for start in stride(from: 0, to: keys.count, by: rowsAtOnce) {
            var rows: [StoredInstall] = []
            for key in keys[start..<min(start + rowsAtOnce, keys.count)] {
                guard var row = try merger.merge(key, stored: nil, counted: counted[key]) else { continue }
                row.version = 1
                rows.append(row)
            }
            try store.put(rows)
            written += rows.count
        }
        return written
    }

    /// Returns the rows counted from the topic, by the store's keys.
    private func countedRows(_ store: any StoreRebuild) throws -> [[UInt8]: StoredInstall] {
        var rows: [StoredInstall] = []
        try replay.store.withAudit { audit in
            try audit.forEachInstall { rows.append($0) }
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.install, $0) })
    }

    /// Moves the summary of the kept funnels, and adds that of the rebuilt ones.
    private func writeSummary(_ store: any StoreRebuild) throws {
        try store.moveSummary(plan.moves)
        for (funnel, source) in plan.sources.enumerated() where source == .counted {
            var segments: [SummaryKey: [[UInt8]]] = [:]
            try replay.store.withSnapshot { summary in
                for byValue in [false, true] {
                    try summary.forEachSegment(funnel: funnel, byValue: byValue, from: nil, to: nil) {
                        value,
                        day,
                        body in
                        segments[SummaryKey(funnel: funnel, value: value, day: day), default: []].append(Array(body))
                    }
                }
            }
            try store.add(
                segments.map { SummaryDelta(key: $0.key, segment: try SummarySegment.merged($0.value)) }
            )
        }
    }
}
