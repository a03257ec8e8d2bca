import Funnels
import Synchronization

extension MemoryFunnelStore: FunnelRedefining {
    /// What the store belongs to; `nil` where no consumer has opened it yet.
    public func identity() throws(StoreError) -> StoreIdentity? {
        contents.withLock { $0.identity }
    }

    /// Runs `body` while nobody else writes.
    public func redefine<R>(_ body: (any StoreRedefinition) throws -> R) throws -> R {
        try contents.withLock { contents in
            let redefinition = MemoryRedefinition(contents)
            let result = try body(redefinition)
            contents = redefinition.contents
            contents.generation += 1
            return result
        }
    }
}

/// A copy of a memory store that is being redefined.
final class MemoryRedefinition: StoreRedefinition {
    fileprivate(set) var contents: MemoryStoreContents
    private let order: [[UInt8]]

    fileprivate init(_ contents: MemoryStoreContents) {
        self.contents = contents
        order = contents.installs.keys.sorted { $0.lexicographicallyPrecedes($1) }
    }

    func identity() -> StoreIdentity? { contents.identity }

    func progress() -> [PartitionProgress] { contents.progress }

    func keys(of installs: [[UInt8]]) -> [[UInt8]] { installs }

    func rows(after key: [UInt8]?, limit: Int) -> [StoredInstall] {
        let start = key.map { key in order.partitioningIndex { key.lexicographicallyPrecedes($0) } } ?? 0
        return order[start...].prefix(limit).compactMap { contents.installs[$0] }
    }

    func put(_ rows: [StoredInstall]) {
        for row in rows { contents.installs[row.install] = row }
    }

    func moveSummary(_ moves: [Int: Int]) { contents.moveSummary(moves) }

    func add(_ segments: [SummaryDelta]) throws { try contents.add(segments) }

    func setDuplicates(_ counts: [Int32: Int64]) { contents.setDuplicates(counts) }

    func addCapped(_ count: Int64) { contents.addCapped(count) }

    func setFunnels(_ funnels: [Funnel], counted: [String], completeFrom firstDay: Day?) {
        contents.identity?.funnels = funnels
        let names = Set(funnels.map(\.name)).subtracting(counted)
        contents.firstDays = contents.firstDays.filter { names.contains($0.key) }
        for name in counted { contents.firstDays[name] = firstDay }
    }
}

extension Array {
    /// The first index whose element `isAfter`, where all elements after it are too; the end where there is none.
    fileprivate func partitioningIndex(_ isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
