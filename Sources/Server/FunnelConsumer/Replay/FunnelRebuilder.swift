import FlowEvents
public import FunnelStore
public import FunnelStoreSQLite
public import Funnels
public import RDKafka
public import Logging

/// Counts new or changed funnels from the records that the topic still has, and puts them in the store, while consumers
/// keep counting.
///
/// ```swift
/// let rebuilder = FunnelRebuilder(kafka: kafka, topic: "app-events", funnels: funnels, allowedLateness: lateness,
///     logger: logger)
/// let plan = try rebuilder.plan([], in: store)
/// if !plan.isEmpty { print(try rebuilder.rebuild(plan, in: store).installCount) }
/// ```
///
/// A rebuild first counts the topic into a scratch store, up to the store's offsets, as a consumer does. Then it locks the
/// store for one transaction: it counts the records committed meanwhile, merges the rows of both stores in their order, and
/// changes funnels, summary and generation. Until that transaction commits, the store is unchanged, so an interrupted rebuild
/// can be repeated. The memory that it takes is that of a consumer, whatever the size of the topic. It is exact:
///
/// - The store is locked before its offsets are read for the last time, so rows and offsets are of the same records. No
///   record is counted twice for the new funnels, and none is left out.
/// - Consumers compare the store's generation in each commit, see `FunnelRebuilding`. A consumer of the old funnels
///   changes nothing from then on: it continues with the new funnels, or ends.
/// - The results of all other funnels are copied, not counted again.
///
/// Late and invalid records are decided as the consumer has decided them, see ``FunnelVerifier``. The quality counts
/// `events`, `late` and `dead_letters` do not change. `capped` grows by the installs with too many events for the new
/// funnels. An install that was capped before comes back to all funnels if the topic has every record and the install does
/// not have too many events for the new funnels. Otherwise it stays capped. `duplicates` are repeats of events that belong to
/// a funnel. They become those of the new funnels if the topic has every record, and do not change otherwise.
public struct FunnelRebuilder: Sendable {
    var source: TopicCount.Source
    private let funnels: [Funnel]
    private let scratch: ScratchLocation
    private let logger: Logger

    /// Creates a rebuilder.
    ///
    /// - Parameters:
    ///   - kafka: librdkafka's properties.
    ///   - topic: the topic of the events.
    ///   - funnels: the funnels of the funnels file, in its order.
    ///   - allowedLateness: the lateness that the store was counted with.
    ///   - scratch: where the topic is counted.
    ///   - logger: logs the progress.
    public init(
        kafka: KafkaConfiguration,
        topic: String,
        funnels: [Funnel],
        allowedLateness: Duration,
        scratch: ScratchLocation = .temporary,
        logger: Logger
    ) {
        source = TopicCount.Source(kafka: kafka, topic: topic, allowedLateness: allowedLateness)
        self.funnels = funnels
        self.scratch = scratch
        self.logger = logger
    }

    /// Returns what a rebuild would do. It changes nothing.
    ///
    /// - Parameters:
    ///   - names: the funnels to rebuild; if empty, all that differ from the funnels file.
    ///   - store: the store.
    /// - Throws: `StoreError`, `UnknownFunnels`.
    public func plan(_ names: [String], in store: any FunnelRebuilding) throws -> FunnelRebuildPlan {
        try FunnelRebuildPlan(from: identity(of: store).funnels, to: funnels, names: names)
    }

    /// Rebuilds funnels. It blocks while it reads the topic, so call it on a thread that may block.
    ///
    /// - Parameters:
    ///   - plan: the result of ``plan(_:in:)``.
    ///   - store: the store.
    ///   - onProgress: called with the share of the topic that is read, from 0 to 1.
    /// - Throws: `StoreError`, ``FunnelConsumerError``, `KafkaConfigurationError`, and any error of `onProgress`. The store
    ///   is unchanged then, unless the connection to PostgreSQL was lost during the commit: then it has all changes or
    ///   none, and the changes of a new ``plan(_:in:)`` show which.
    public func rebuild(
        _ plan: FunnelRebuildPlan,
        in store: any FunnelRebuilding,
        onProgress: (Double) throws -> Void = { _ in }
    ) throws -> RebuildResult {
        do {
            let stored = try identity(of: store)
            try checkUnchanged(stored, since: plan)
            var target = stored
            target.funnels = plan.funnels
            // The topic may have lost the requests.
            target.erased = try store.erasedInstalls()
            let scratch = try SQLiteScratchStore(at: scratch)
            defer { scratch.remove() }
            let count = try TopicCount(source, target, into: scratch.store, advice: "rebuild again", logger: logger)
            defer { count.close() }
            try count.check(stored, store.progress())
            try count.read(to: store.progress(), onProgress: onProgress)
            // The consumers have committed more meanwhile. Read that before the store is locked, so that they wait less.
            for _ in 0..<3 { try count.read(to: store.progress()) }
            let start = ContinuousClock.now
            var result = try store.rebuild { locked in
                try checkUnchanged(locked.identity(), since: plan)
                let progress = try locked.progress()
                // The consumers cannot commit until this is done.
                try count.read(to: progress, within: .seconds(30))
                if count.isComplete { try warnOfOtherVerdicts(scratch.store.progress(), progress) }
                return try RebuildWriter(plan: plan, count: count, scratch: scratch, timeZones: target.timeZones)
                    .write(to: locked)
            }
            result.lockDuration = start.duration(to: .now)
            return result
        } catch let error as KafkaError {
            throw FunnelConsumerError.kafka(error)
        }
    }

    private func identity(of store: any FunnelRebuilding) throws -> StoreIdentity {
        guard let identity = try store.identity() else {
            throw StoreError.missing("the store is still empty: no consumer has begun to count in it")
        }
        return identity
    }

    private func checkUnchanged(_ identity: StoreIdentity?, since plan: FunnelRebuildPlan) throws {
        if let identity, FunnelChanges(from: plan.previous, to: identity.funnels).isEmpty { return }
        throw StoreError.unavailable("another rebuild has changed the store's funnels meanwhile: rebuild again")
    }

    private func warnOfOtherVerdicts(_ counted: [PartitionProgress], _ progress: [PartitionProgress]) throws {
        let stored = progress.reduce(into: Quality()) { $0 += $1.quality }
        let read = counted.reduce(into: Quality()) { $0 += $1.quality }
        guard (stored.events, stored.late) != (read.events, read.late) else { return }
        logger.warning(
            "the counts of the topic differ from the store's: was the store counted with another allowed_lateness?",
            metadata: [
                "events": "\(read.events), store \(stored.events)", "late": "\(read.late), store \(stored.late)",
            ]
        )
    }
}

/// The result of a rebuild.
public struct RebuildResult: Sendable, Hashable {
    /// The number of records that were read.
    public internal(set) var recordCount = 0
    /// The number of installs whose rows were written.
    public internal(set) var installCount = 0
    /// The first day of which the rebuilt funnels have all events, if the topic has lost earlier ones; `nil` if they have
    /// every event.
    public internal(set) var completeFrom: Day?
    /// How long the store was locked, so that consumers could not commit.
    public internal(set) var lockDuration: Duration = .zero
}
