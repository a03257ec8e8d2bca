import Dispatch
import Foundation
import FunnelStore
import Funnels
import Synchronization

/// Works out what an interval changes and makes the store take it over.
struct Committer {
    private let store: any FunnelStore
    private let funnels: [Funnel]
    private let bounds: FunnelBounds
    private let partitionCount: Int?
    private var sweep = InstallSweep()
    private var settler: FunnelSettler
    /// Whether every install that the store has is at hand, so that one that is not must be new. Should another
    /// consumer have written it all the same, the store says so.
    private var knowsEveryInstall: Bool
    private let metrics: ConsumerMetrics

    /// - Parameters:
    ///   - bounds: how much is held, and for how long.
    ///   - partitionCount: how many partitions the topic has; `nil` keeps all evidence in the store for good.
    ///   - isNew: whether the store has nothing yet.
    init(
        store: any FunnelStore,
        funnels: [Funnel],
        bounds: FunnelBounds = FunnelBounds(),
        partitionCount: Int? = nil,
        isNew: Bool,
        metrics: ConsumerMetrics = ConsumerMetrics()
    ) {
        self.store = store
        self.funnels = funnels
        self.bounds = bounds
        self.partitionCount = partitionCount
        settler = FunnelSettler(funnels: funnels, bounds: bounds)
        knowsEveryInstall = isNew
        self.metrics = metrics
    }

    /// Commits an interval and what the partitions' offsets and counts become with it.
    ///
    /// - Returns: the partitions as they stand where another consumer has moved them and nothing was committed; all
    ///   that is known of installs is forgotten then, and so must it be by the collector. `nil` where it was committed.
    /// - Throws: `StoreError`, `DamagedState`; ``RedefinedStore`` where the store counts other funnels by now: nothing was
    ///   committed, and this committer is of no more use.
    mutating func commit(_ interval: EventInterval, _ advances: [PartitionAdvance]) throws -> [PartitionProgress]? {
        let start = ContinuousClock.now
        let known = (hits: settler.hitCount, misses: settler.missCount)
        defer {
            metrics.recordCommit(start.duration(to: .now))
            metrics.recordCache(settler, since: known)
        }
        settler.begin(interval)
        let unloaded = settler.unloadedInstalls()
        let areNew = knowsEveryInstall && !settler.hasEvicted
        settler.load(unloaded.isEmpty || areNew ? [] : try store.installs(unloaded))
        var settlement = try settle()
        while true {
            let commit = Self.commit(settlement, advances)
            switch try store.commit(commit) {
            case .committed:
                metrics.recordCommitted(commit.partitions)
                settler.confirm()
                try tidy()
                return nil
            case .conflicts(let rows):
                metrics.recordConflict()
                knowsEveryInstall = false
                settlement = try settler.resolve(rows)
            case .fenced(let progress):
                metrics.recordFence()
                knowsEveryInstall = false
                settler = FunnelSettler(funnels: funnels, bounds: bounds)
                return progress
            case .redefined(let redefined):
                throw RedefinedStore(identity: redefined.identity, progress: redefined.progress)
            }
        }
    }

    /// Takes installs out of the funnels that another count of the same events has found to have too many.
    mutating func cap(_ installs: [[UInt8]]) throws {
        let settlement = try settler.capping(store.installs(installs))
        // The settler's own rows are older now: should an event of theirs still come, the store says so.
        let commit = StoreCommit(partitions: [], installs: settlement.installs, summary: settlement.summary)
        guard case .committed = try store.commit(commit) else {
            throw StoreError.unavailable("the store was written by another while it was compared")
        }
    }

    /// Lets go of evidence that is past, of a few rows a commit.
    private mutating func tidy() throws {
        guard let partitionCount else { return }
        let horizon = EvidenceHorizon.time(
            try store.progress(),
            partitionCount: partitionCount,
            allowedLateness: bounds.allowedLateness
        )
        guard let horizon else { return }
        settler.horizon = horizon
        metrics.record(horizon: horizon)
        guard sweep.isDue(horizon: horizon) else { return }
        let rows = try store.installs(after: sweep.last, limit: InstallSweep.rowsAtOnce)
        // After the rows were read: then they are of the funnels that are known here. One that is written anew for
        // others later has another version by then.
        try checkFunnels()
        sweep.advance(over: rows)
        let smaller = try settler.pruned(rows)
        if !smaller.isEmpty { try store.compact(smaller) }
    }

    private mutating func settle() throws -> Settlement {
        // A row of other funnels may be one that these cannot read.
        let parts = settler.parts(ProcessInfo.processInfo.activeProcessorCount)
        let settled = Mutex<[Int: Result<SettledPart, DamagedState>]>([:])
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            let result = Result { () throws(DamagedState) in try parts[number].settled() }
            settled.withLock { $0[number] = result }
        }
        let results = settled.withLock { settled in parts.indices.compactMap { settled[$0] } }
        do throws(DamagedState) {
            var settled: [SettledPart] = []
            for result in results { settled.append(try result.get()) }
            return settler.combine(settled)
        } catch {
            try checkFunnels()
            throw error
        }
    }

    /// - Throws: ``RedefinedStore`` where the store counts other funnels by now.
    private func checkFunnels() throws {
        guard let redefined = try store.takeRedefinition() else { return }
        throw RedefinedStore(identity: redefined.identity, progress: redefined.progress)
    }

    private static func commit(_ settlement: Settlement, _ advances: [PartitionAdvance]) -> StoreCommit {
        let advances = advances.map { advance in
            var advance = advance
            advance.quality += settlement.quality[advance.partition] ?? Quality()
            return advance
        }
        return StoreCommit(partitions: advances, installs: settlement.installs, summary: settlement.summary)
    }
}

/// A store counts other funnels than those that it was opened with, because a rebuild has switched them over.
struct RedefinedStore: Error {
    /// What it belongs to now.
    let identity: StoreIdentity
    /// Where it stands.
    let progress: [PartitionProgress]
}
