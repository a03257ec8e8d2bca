import FlowEvents
import Foundation
import FunnelStore
import Funnels
import Logging

/// Computes the changes of an interval and writes them to the store.
struct Committer {
    private let store: any FunnelStore
    private let funnels: [Funnel]
    private let bounds: FunnelBounds
    private let timeZones: TimeZoneTables
    private let partitionCount: Int?
    private var sweep = InstallSweep()
    var counter: FunnelCounter
    /// Whether the cache has every install of the store, so that any other install is new. If another consumer has
    /// written one meanwhile, the store reports a conflict.
    private var knowsEveryInstall: Bool
    let metrics: ConsumerMetricsRecorder
    /// The greatest number of installs of an interval that is not written in several batches.
    let installsAtOnce: Int
    private let logger: Logger?

    /// - Parameters:
    ///   - store: the store.
    ///   - funnels: the store's funnels.
    ///   - bounds: the limits of the cache and of the evidence.
    ///   - timeZones: the transitions that the store keeps of the funnels' time zones.
    ///   - partitionCount: the number of partitions of the topic; with `nil` no evidence is ever removed.
    ///   - isNew: whether the store is empty.
    ///   - metrics: records each commit.
    ///   - installsAtOnce: the greatest number of installs of an interval that is not written in several batches: the rows of
    ///     more are a large part of a consumer's memory.
    ///   - logger: logs the hashes of the installs that are erased in the store; `nil` for a count that is only compared.
    init(
        store: any FunnelStore,
        funnels: [Funnel],
        bounds: FunnelBounds = FunnelBounds(),
        timeZones: TimeZoneTables = TimeZoneTables(),
        partitionCount: Int? = nil,
        isNew: Bool,
        metrics: ConsumerMetricsRecorder = ConsumerMetricsRecorder(),
        installsAtOnce: Int = 16_384,
        logger: Logger? = nil
    ) {
        self.store = store
        self.funnels = funnels
        self.bounds = bounds
        self.timeZones = timeZones
        self.partitionCount = partitionCount
        counter = FunnelCounter(funnels: funnels, bounds: bounds, timeZones: timeZones)
        knowsEveryInstall = isNew
        self.metrics = metrics
        self.installsAtOnce = installsAtOnce
        self.logger = logger
    }

    /// Commits an interval together with the partitions' new offsets and counts.
    ///
    /// - Returns: `nil` if it was committed. If another consumer has moved the partitions on, nothing was committed and
    ///   the result is the store's progress; the cache is dropped then, and the caller must drop its collected events.
    /// - Throws: `StoreError`, `DamagedState`; ``StoreRebuilt`` if a rebuild has changed the store's funnels. An error can
    ///   also come from the clean-up after a successful commit: read the store's progress to learn whether the interval
    ///   was committed. After any error, do not use this committer again.
    mutating func commit(_ interval: EventInterval, _ advances: [PartitionAdvance]) throws -> [PartitionProgress]? {
        let start = ContinuousClock.now
        let known = (hits: counter.hitCount, misses: counter.missCount)
        defer {
            metrics.recordCommit(start.duration(to: .now))
            metrics.recordCache(counter, since: known)
        }
        if interval.installCount > installsAtOnce, let store = store as? any BatchedStore {
            switch try commitInBatches(interval, advances, to: store) {
            case .committed:
                try removeOldEvidence()
                return nil
            case .conflicts:
                metrics.recordConflict()
                forgetInstalls()
            case .fenced(let progress): return fenced(progress)
            case .rebuilt(let rebuilt): throw StoreRebuilt(identity: rebuilt.identity, progress: rebuilt.progress)
            }
        }
        var batch = counter.batch(of: interval)
        while true {
            try count(&batch) { try store.installs($0.installs, history: $0.withHistory ? .all : .index) }
            var totals = CountedTotals()
            totals.add(batch)
            var commit = self.commit(advances, quality: totals.quality, summary: totals.summary())
            commit.installs = batch.writes
            switch try store.commit(commit) {
            case .committed:
                metrics.recordCommitted(commit.partitions)
                counter.confirm(batch)
                try tellErased(commit.installs.filter(\.erases).map(\.install))
                try removeOldEvidence()
                return nil
            case .conflicts(let rows):
                metrics.recordConflict()
                knowsEveryInstall = false
                batch.resolve(rows)
            case .fenced(let progress): return fenced(progress)
            case .rebuilt(let rebuilt):
                throw StoreRebuilt(identity: rebuilt.identity, progress: rebuilt.progress)
            }
        }
    }

    /// Counts and logs the installs that a commit has erased, without their ids.
    func tellErased(_ installs: [[UInt8]]) throws {
        guard !installs.isEmpty else { return }
        metrics.recordErased(installs.count)
        guard let logger, let key = try store.erasureKey() else { return }
        for install in installs {
            let hash = key.hash(of: install).map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
            logger.notice("an install was erased", metadata: ["hash": "\(hash.joined())"])
        }
    }

    private mutating func fenced(_ progress: [PartitionProgress]) -> [PartitionProgress] {
        metrics.recordFence()
        forgetInstalls()
        return progress
    }

    private mutating func forgetInstalls() {
        knowsEveryInstall = false
        counter = FunnelCounter(funnels: funnels, bounds: bounds, timeZones: timeZones)
    }

    /// Counts the installs of a batch on several threads.
    ///
    /// - Parameter rows: reads rows.
    func count(_ batch: inout CountingBatch, rows: (CountingBatch.MissingRows) throws -> [StoredInstall]) throws {
        while !batch.isCounted {
            try load(&batch, rows)
            let work = TasksInWork(batch.tasks(ProcessInfo.processInfo.activeProcessorCount))
            do throws(DamagedState) {
                batch.combine(try work.counted())
            } catch {
                // The row may be of a rebuild's funnels, which these cannot read.
                try checkFunnels()
                throw error
            }
        }
    }

    /// Supplies the rows that a batch needs next.
    func load(_ batch: inout CountingBatch, _ rows: (CountingBatch.MissingRows) throws -> [StoredInstall]) throws {
        guard let missing = batch.missingRows else { return }
        let areNew = !missing.withHistory && knowsEveryInstall && !counter.hasEvicted
        batch.load(areNew ? [] : try rows(missing))
    }

    /// Takes installs out of the funnels, because another count of the same topic has found too many events of them.
    mutating func cap(_ installs: [[UInt8]]) throws {
        for start in stride(from: 0, to: installs.count, by: RowLimit.histories.rowCount) {
            let some = Array(installs[start..<min(start + RowLimit.histories.rowCount, installs.count)])
            let (writes, summary) = try counter.capped(store.installs(some, history: .all))
            let commit = StoreCommit(partitions: [], installs: writes, summary: summary)
            guard case .committed = try store.commit(commit) else {
                throw StoreError.unavailable("another process has written to the store during the comparison")
            }
        }
    }

    /// Removes evidence from before the horizon, from some rows with each commit.
    private mutating func removeOldEvidence() throws {
        guard let partitionCount else { return }
        try raiseHorizon(partitionCount: partitionCount)
        guard let horizon = counter.horizon else { return }
        metrics.record(horizon: horizon)
        guard sweep.isDue(horizon: horizon) else { return }
        let rows = try store.installs(after: sweep.last, limit: .sweep)
        // After the rows were read, so that they are known to be of these funnels. A row that a rebuild writes later has
        // a new version.
        try checkFunnels()
        sweep.advance(over: rows)
        let (writes, unread) = try counter.pruned(rows)
        if !writes.isEmpty { try store.compact(writes) }
        var rest = unread[...]
        while !rest.isEmpty {
            let some = try store.withHistory(Array(rest), limit: .histories)
            // Another consumer may have erased all of them. The next sweep comes to the others.
            guard !some.isEmpty else { return }
            rest = rest.dropFirst(some.count)
            try checkFunnels()
            let writes = try counter.pruned(some).writes
            if !writes.isEmpty { try store.compact(writes) }
        }
    }

    /// Raises the horizon of the store, and then that of the counter: no evidence may be removed by a horizon that another
    /// consumer does not find in the store.
    private mutating func raiseHorizon(partitionCount: Int) throws {
        let reached = EvidenceHorizon.time(
            try store.progress(),
            partitionCount: partitionCount,
            allowedLateness: bounds.allowedLateness
        )
        guard let reached else { return }
        if let horizon = counter.horizon, reached.milliseconds < horizon.milliseconds + Self.horizonStep { return }
        counter.horizon = try store.raiseHorizon(
            TopicSettings(partitionCount: Int32(partitionCount), allowedLateness: bounds.allowedLateness)
        )
    }

    // In milliseconds. Evidence is removed by whole days, and each step is a transaction.
    private static let horizonStep: Int64 = 3_600_000

    /// - Throws: ``StoreRebuilt`` if a rebuild has changed the store's funnels.
    private func checkFunnels() throws {
        guard let rebuilt = try store.takeRebuiltFunnels() else { return }
        throw StoreRebuilt(identity: rebuilt.identity, progress: rebuilt.progress)
    }

    /// The commit without installs.
    func commit(
        _ advances: [PartitionAdvance],
        quality: [Int32: Quality],
        summary: [SummaryDelta]
    ) -> StoreCommit {
        let advances = advances.map { advance in
            var advance = advance
            advance.quality += quality[advance.partition] ?? Quality()
            return advance
        }
        var commit = StoreCommit(partitions: advances, installs: [], summary: summary)
        commit.topic = partitionCount.map {
            TopicSettings(partitionCount: Int32($0), allowedLateness: bounds.allowedLateness)
        }
        if let time = advances.compactMap(\.firstTime).min() {
            for funnel in funnels where funnel.entry == .first {
                commit.firstKnown[funnel.name] = timeZones.table(of: funnel).day(of: time)
            }
        }
        return commit
    }
}

/// A rebuild has changed the funnels of the store since it was opened.
struct StoreRebuilt: Error {
    /// The store's identity, with its new funnels.
    let identity: StoreIdentity
    /// The offset of the next record of each partition.
    let progress: [PartitionProgress]
}
