import FunnelStore
import Funnels

/// Writes what a rebuild has counted into the store that is being redefined.
struct FunnelSwitch {
    let revision: FunnelRevision
    /// How many funnels the store has had.
    let storedCount: Int
    /// The topic, counted by the revision's funnels up to where the store stands.
    private var replay: TopicReplay
    private let rowsAtOnce = 2_000

    init(revision: FunnelRevision, storedCount: Int, replay: TopicReplay) {
        self.revision = revision
        self.storedCount = storedCount
        self.replay = replay
    }

    /// - Throws: `StoreError`, `DamagedState`.
    mutating func write(to redefinition: any StoreRedefinition) throws -> FunnelRebuild {
        var rebuild = FunnelRebuild()
        rebuild.recordCount = replay.recordCount
        var merger = InstallMerger(revision, storedCount: storedCount)
        let counted = try countedRows(redefinition)
        rebuild.installCount = try writeInstalls(counted, &merger, redefinition)
        try replay.cap(merger.keptCapped.compactMap { counted[$0]?.install })
        try writeSummary(redefinition)
        try redefinition.add(merger.removedSummary())
        try redefinition.addCapped(merger.cappedCount)
        if replay.isComplete {
            let counts = try replay.store.progress().map { ($0.partition, $0.quality.duplicates) }
            try redefinition.setDuplicates(Dictionary(uniqueKeysWithValues: counts))
        }
        let names = revision.counted.map(\.name)
        if !names.isEmpty { rebuild.completeFrom = replay.firstComparableDay }
        try redefinition.setFunnels(revision.funnels, counted: names, completeFrom: rebuild.completeFrom)
        return rebuild
    }

    /// - Returns: how many rows were written.
    private func writeInstalls(
        _ counted: [[UInt8]: StoredInstall],
        _ merger: inout InstallMerger,
        _ redefinition: any StoreRedefinition
    ) throws -> Int {
        var counted = counted
        var written = 0
        var last: [UInt8]?
        while true {
            let rows = try redefinition.rows(after: last, limit: rowsAtOnce)
            guard let end = rows.last else { break }
            last = end.install
            var changed: [StoredInstall] = []
            for row in rows {
                let state = try merger.merge(
                    row.install,
                    stored: row.state,
                    counted: counted.removeValue(forKey: row.install)?.state
                )
                guard let state, state != row.state else { continue }
                changed.append(StoredInstall(install: row.install, version: row.version + 1, state: state))
            }
            try redefinition.put(changed)
            written += changed.count
        }
        return try written + writeNew(counted, &merger, redefinition)
    }

    /// Writes the installs that the store has no rows of.
    private func writeNew(
        _ counted: [[UInt8]: StoredInstall],
        _ merger: inout InstallMerger,
        _ redefinition: any StoreRedefinition
    ) throws -> Int {
        let keys = counted.keys.sorted { $0.lexicographicallyPrecedes($1) }
        var written = 0
        for start in stride(from: 0, to: keys.count, by: rowsAtOnce) {
            var rows: [StoredInstall] = []
            for key in keys[start..<min(start + rowsAtOnce, keys.count)] {
                guard let state = try merger.merge(key, stored: nil, counted: counted[key]?.state) else { continue }
                rows.append(StoredInstall(install: key, version: 1, state: state))
            }
            try redefinition.put(rows)
            written += rows.count
        }
        return written
    }

    /// The rows that the topic gave, by the store's keys.
    private func countedRows(_ redefinition: any StoreRedefinition) throws -> [[UInt8]: StoredInstall] {
        var rows: [StoredInstall] = []
        try replay.store.withAudit { audit in
            try audit.forEachInstall(known: []) { rows.append($0) }
        }
        return Dictionary(uniqueKeysWithValues: zip(try redefinition.keys(of: rows.map(\.install)), rows))
    }

    private func writeSummary(_ redefinition: any StoreRedefinition) throws {
        try redefinition.moveSummary(revision.moves)
        for (place, source) in revision.sources.enumerated() where source == .counted {
            var segments: [SummaryKey: [[UInt8]]] = [:]
            try replay.store.withSnapshot { summary in
                for byValue in [false, true] {
                    try summary.forEachSegment(funnel: place, byValue: byValue, from: nil, to: nil) {
                        value,
                        day,
                        body in
                        segments[SummaryKey(funnel: place, value: value, day: day), default: []].append(Array(body))
                    }
                }
            }
            try redefinition.add(
                segments.map { SummaryDelta(key: $0.key, segment: try SummarySegment.merged($0.value)) }
            )
        }
    }
}
