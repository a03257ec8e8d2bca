import FlowEvents
public import FunnelStore
public import Funnels
public import RDKafka
public import Logging

/// Counts funnels anew from what the topic still has, and switches a store over to them in one transaction, beside the
/// consumers that count in it.
///
/// First the topic is read again into memory, up to where the store stands, while the consumers go on. Then the store is
/// locked for the switch: the little that was committed meanwhile is read, each install's row gets its new half, and
/// funnels, rows, summary and generation change together. The order of that is the proof:
///
/// - The lock is had before the offsets are read for the last time, so the rows written and the offsets that stand are
///   of the same records: no record is counted twice for the new funnels, and none is left out.
/// - Consumers compare the store's generation inside each commit, see `FunnelRedefining`. One that still counts the old
///   funnels changes nothing from then on, and takes the new ones over or stops.
/// - The other funnels are copied and not counted, so the rebuild changes nothing of them.
///
/// Until the transaction ends, nothing of the store has changed: a rebuild that is killed can be done again.
///
/// The topic's events get the verdicts that they got before (late, dead), as with ``FunnelVerifier``. Of the quality
/// counts `events`, `late` and `dead_letters` stay as they are. `capped` grows by the installs that have too many events
/// for the new funnels, which leaves them out of all; one that was capped before stays so. `duplicates`, which are repeats of events that belong to
/// a funnel, are those of the new funnels where the topic has every record, and stay as they are where it has not.
public struct FunnelRebuilder: Sendable {
    private let kafka: KafkaConfiguration
    private let topic: String
    private let funnels: [Funnel]
    private let allowedLateness: Int64
    private let logger: Logger
    var evidenceLimit = FunnelBounds.standardEvidenceLimit

    /// Creates a rebuilder.
    ///
    /// - Parameters:
    ///   - kafka: how the brokers are reached.
    ///   - topic: the topic of the events.
    ///   - funnels: those of the funnels file, in its order.
    ///   - allowedLateness: the consumer's, in milliseconds.
    ///   - logger: is told how it comes along.
    public init(
        kafka: KafkaConfiguration,
        topic: String,
        funnels: [Funnel],
        allowedLateness: Int64,
        logger: Logger
    ) {
        self.kafka = kafka
        self.topic = topic
        self.funnels = funnels
        self.allowedLateness = allowedLateness
        self.logger = logger
    }

    /// What a rebuild would do; it changes nothing.
    ///
    /// - Parameters:
    ///   - names: the funnels to rebuild; none for all that differ from the funnels file.
    ///   - store: the store.
    /// - Throws: `StoreError`, `UnknownFunnelNames`.
    public func plan(_ names: [String], in store: any FunnelRedefining) throws -> FunnelRevision {
        try FunnelRevision(from: identity(of: store).funnels, to: funnels, names: names)
    }

    /// Rebuilds. It blocks for as long as reading the topic takes: call it on a thread of your own.
    ///
    /// - Parameters:
    ///   - revision: what ``plan(_:in:)`` said.
    ///   - store: the store.
    ///   - onProgress: is told how much of the topic is read, from 0 to 1.
    /// - Throws: `StoreError`, `DamagedState`, ``FunnelConsumerError``, `KafkaConfigurationError`, and what `onProgress`
    ///   throws. Then the store is as it was.
    public func rebuild(
        _ revision: FunnelRevision,
        in store: any FunnelRedefining,
        onProgress: (Double) throws -> Void = { _ in }
    ) throws -> FunnelRebuild {
        do {
            let consumer = try Consumer(configuration: kafka, groupID: nil, logger: logger)
            defer { consumer.close() }
            let reader = TopicReplayReader(consumer: consumer, topic: topic, wayOut: "rebuild again", logger: logger)
            let stored = try identity(of: store)
            try reader.check(stored)
            var target = stored
            target.funnels = revision.funnels
            let bounds = FunnelBounds(allowedLateness: allowedLateness, evidenceLimit: evidenceLimit)
            var replay = try TopicReplay(target, bounds: bounds, from: nil)
            try reader.read(to: store.progress(), &replay, onProgress: onProgress)
            // The consumers went on. What they have committed since is read here while they still can, so that they wait
            // for little of it.
            for _ in 0..<3 { try reader.read(to: store.progress(), &replay) }
            let start = ContinuousClock.now
            var rebuild = try store.redefine { redefinition in
                try checkUnchanged(redefinition.identity(), since: stored)
                let progress = try redefinition.progress()
                // The consumers wait for this.
                try reader.read(to: progress, &replay, within: .seconds(30))
                try replay.settle()
                try warnOfOtherVerdicts(replay, progress)
                var change = FunnelSwitch(revision: revision, storedCount: stored.funnels.count, replay: replay)
                return try change.write(to: redefinition)
            }
            rebuild.switchDuration = start.duration(to: .now)
            return rebuild
        } catch let error as KafkaError {
            throw FunnelConsumerError.kafka(error)
        }
    }

    private func identity(of store: any FunnelRedefining) throws -> StoreIdentity {
        guard let identity = try store.identity() else {
            throw StoreError.missing(
                "the store is still empty: start funnel-consumer, which counts all funnels from the start"
            )
        }
        return identity
    }

    private func checkUnchanged(_ identity: StoreIdentity?, since before: StoreIdentity) throws {
        if let identity, FunnelChanges(from: before.funnels, to: identity.funnels).isEmpty { return }
        throw StoreError.unavailable("another rebuild has changed the store's funnels meanwhile: rebuild again")
    }

    private func warnOfOtherVerdicts(_ replay: TopicReplay, _ progress: [PartitionProgress]) throws {
        guard replay.isComplete else { return }
        let stored = progress.reduce(into: Quality()) { $0 += $1.quality }
        let read = try replay.store.withSnapshot { try $0.quality() }
        guard (stored.events, stored.late) != (read.events, read.late) else { return }
        logger.warning(
            "the topic gives other counts than the store has: was it counted with another allowed_lateness?",
            metadata: [
                "events": "\(read.events), store \(stored.events)", "late": "\(read.late), store \(stored.late)",
            ]
        )
    }
}

/// What a rebuild has done.
public struct FunnelRebuild: Sendable, Hashable {
    /// The records that were read.
    public internal(set) var recordCount = 0
    /// The installs whose rows were written.
    public internal(set) var installCount = 0
    /// The first day for which the funnels have all events, because the topic has lost earlier ones; `nil` where they
    /// have every event.
    public internal(set) var completeFrom: Day?
    /// How long the consumers had to wait with their commits.
    public internal(set) var switchDuration: Duration = .zero
}
