import FlowEvents
import Funnels
import Synchronization

extension MemoryFunnelStore: FunnelRebuilding {
    /// Returns the store's identity; `nil` if no consumer has opened the store yet.
    public func identity() throws(StoreError) -> StoreIdentity? {
        try location.translating { try contents.withLock { try $0.identity() } }
    }

    /// Runs `body` while no other caller can write.
    public func rebuild<R>(_ body: (any StoreRebuild) throws -> R) throws -> R {
        try location.translatingOwnErrors {
            try contents.withLock { contents in
                let rebuild = MemoryRebuild(contents)
                let result = try body(rebuild)
                contents = rebuild.queries
                contents.rebuildCount += 1
                return result
            }
        }
    }
}

/// A copy of a memory store's contents during a rebuild.
private final class MemoryRebuild: StoreRebuild, StoreView {
    private(set) var queries: MemoryStoreContents
    private let order: [[UInt8]]

    init(_ contents: MemoryStoreContents) {
        queries = contents
        order = contents.installs.keys.sorted { $0.lexicographicallyPrecedes($1) }
    }

    func rows(after install: [UInt8]?, limit: Int) -> [StoredInstall] {
        let start = install.map { install in order.partitioningIndex { install.lexicographicallyPrecedes($0) } } ?? 0
        return order[start...].prefix(limit).compactMap { queries.installs[$0] }
    }

    func put(_ rows: [StoredInstall]) {
        for row in rows { queries.installs[row.install] = row }
    }

    func moveSummary(_ moves: [Int: Int]) { queries.moveSummary(moves) }

    func add(_ segments: [SummaryDelta]) throws { try queries.add(segments) }

    func setDuplicates(_ counts: [Int32: Int64]) { queries.setDuplicates(counts) }

    func addCapped(_ count: Int64) { queries.addCapped(count) }

    func setFunnels(
        _ funnels: [Funnel],
        counted: [String],
        completeFrom firstDay: Day?,
        firstKnown: [String: Day]
    ) throws {
        queries.storedIdentity?.funnels = funnels
        try queries.keepTimeZones(of: funnels)
        let names = Set(funnels.map(\.name)).subtracting(counted)
        queries.firstDays = queries.firstDays.filter { names.contains($0.key) }
        for name in counted { queries.firstDays[name] = firstDay }
        queries.firstKnown = queries.firstKnown.filter { names.contains($0.key) }
        for name in counted { queries.firstKnown[name] = firstKnown[name] }
    }
}
