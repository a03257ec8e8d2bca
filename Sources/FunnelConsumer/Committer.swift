import FunnelStore
import Funnels

/// Works out what an interval changes and makes the store take it over.
struct Committer {
    private let store: any FunnelStore
    private let funnels: [Funnel]
    private var settler: FunnelSettler
    /// Whether every install that the store has is at hand, so that one that is not must be new. Should another
    /// consumer have written it all the same, the store says so.
    private var knowsEveryInstall: Bool
    private let metrics: ConsumerMetrics

    /// - Parameter isNew: whether the store has nothing yet.
    init(store: any FunnelStore, funnels: [Funnel], isNew: Bool, metrics: ConsumerMetrics = ConsumerMetrics()) {
        self.store = store
        self.funnels = funnels
        settler = FunnelSettler(funnels: funnels)
        knowsEveryInstall = isNew
        self.metrics = metrics
    }

    /// Commits an interval and what the partitions' offsets and counts become with it.
    ///
    /// - Returns: the partitions as they stand where another consumer has moved them and nothing was committed; all
    ///   that is known of installs is forgotten then, and so must it be by the collector. `nil` where it was committed.
    /// - Throws: `StoreError`, `DamagedState`.
    mutating func commit(_ interval: EventInterval, _ advances: [PartitionAdvance]) throws -> [PartitionProgress]? {
        let start = ContinuousClock.now
        defer { metrics.recordCommit(start.duration(to: .now), cachedInstalls: settler.installCount) }
        settler.begin(interval)
        let unloaded = settler.unloadedInstalls()
        settler.load(unloaded.isEmpty || knowsEveryInstall ? [] : try store.installs(unloaded))
        var settlement = try settler.settle()
        while true {
            let commit = Self.commit(settlement, advances)
            switch try store.commit(commit) {
            case .committed:
                metrics.recordCommitted(commit.partitions)
                settler.confirm()
                return nil
            case .conflicts(let rows):
                metrics.recordConflict()
                knowsEveryInstall = false
                settlement = try settler.resolve(rows)
            case .fenced(let progress):
                metrics.recordFence()
                knowsEveryInstall = false
                settler = FunnelSettler(funnels: funnels)
                return progress
            }
        }
    }

    private static func commit(_ settlement: Settlement, _ advances: [PartitionAdvance]) -> StoreCommit {
        let advances = advances.map { advance in
            var advance = advance
            advance.quality.duplicates += settlement.duplicates[advance.partition] ?? 0
            advance.quality.completeness += settlement.completeness[advance.partition] ?? Completeness()
            return advance
        }
        return StoreCommit(partitions: advances, installs: settlement.installs, summary: settlement.summary)
    }
}
