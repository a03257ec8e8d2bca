package import FlowEvents
package import FunnelStore
package import Funnels
package import Logging
package import RDKafka

/// How a count differs from the service: it has no group, sends no dead letters, and reads to given offsets.
struct CountRules {
    /// What to do if records are deleted while they are read, such as "verify again".
    let advice: String
}

/// Counts a topic into a store, up to given offsets, with the consumer's own loop.
///
/// ```swift
/// let count = try TopicCount(topic, identity, into: scratch.store, advice: "verify again", logger: logger)
/// defer { count.close() }
/// try count.read(to: progress) { share in print(share) }
/// ```
///
/// It joins no group, commits nothing to Kafka and sends no dead letters. A record is valid, late or invalid by the
/// consumer's rules and the given floors, so it counts as it did in the store whose floors these are. There is one exception:
/// if the beginning of a partition is lost, an event that was late may count. Such an event is of a day before
/// ``firstComparableDay``. No evidence is removed, whatever its age.
///
/// The memory that it takes is that of a consumer. It belongs to one thread, which it blocks.
package final class TopicCount {
    /// The topic to count, and how.
    package struct Source: Sendable {
        /// librdkafka's properties.
        package var kafka: KafkaConfiguration
        /// The topic of the events.
        package var topic: String
        /// How far behind its partition's watermark an event may be and still count.
        package var allowedLateness: Duration
        /// Leaves out each partition's records before the first with this timestamp or a later one; `nil` reads all.
        package var from: Timestamp?
        /// The greatest number of events of an install.
        var evidenceLimit = FunnelBounds.standardEvidenceLimit

        /// Creates a source.
        package init(kafka: KafkaConfiguration, topic: String, allowedLateness: Duration) {
            self.kafka = kafka
            self.topic = topic
            self.allowedLateness = allowedLateness
        }
    }

    private let source: Source
    private let store: any FunnelStore
    private let identity: StoreIdentity
    private let loop: ConsumerLoop
    private let logger: Logger
    private let timeout = Duration.seconds(15)

    /// Prepares a count.
    ///
    /// - Parameters:
    ///   - source: the topic.
    ///   - identity: the cluster, the topic, the funnels and the transitions of their time zones.
    ///   - store: an empty store, which gets the counts.
    ///   - advice: what to do if records are deleted while they are read, such as "verify again".
    ///   - logger: logs the progress.
    /// - Throws: `StoreError`, `KafkaConfigurationError`, `KafkaError`.
    package init(
        _ source: Source,
        _ identity: StoreIdentity,
        into store: any FunnelStore,
        advice: String,
        logger: Logger
    ) throws {
        self.source = source
        self.store = store
        self.identity = identity
        self.logger = logger
        var options = FunnelConsumerOptions(
            kafka: source.kafka,
            topic: source.topic,
            deadLetterTopic: "",
            funnels: identity.funnels,
            allowedLateness: source.allowedLateness,
            exitsAtEnd: true
        )
        options.evidenceLimit = source.evidenceLimit
        loop = try ConsumerLoop(options: options, store: store, logger: logger, countRules: CountRules(advice: advice))
        {
            false
        }
        loop.beginnings.from = source.from
        _ = try store.open(identity)
        loop.commitThread = try loop.makeCommitThread(identity.funnels, isNew: identity.erased?.hashes.isEmpty ?? true)
    }

    /// Checks that another store has the counts of this cluster and topic.
    ///
    /// - Parameters:
    ///   - stored: that store's identity.
    ///   - progress: that store's progress.
    /// - Throws: `StoreError.otherData`, ``FunnelConsumerError``.
    package func check(_ stored: StoreIdentity, _ progress: [PartitionProgress]) throws {
        let clusterID: String
        do throws(KafkaError) {
            clusterID = try loop.consumer.clusterID(within: timeout)
        } catch {
            throw FunnelConsumerError.brokersUnreachable(error)
        }
        try StoreIdentity(clusterID: clusterID, topic: source.topic, funnels: stored.funnels)
            .check(against: stored, in: "the store")
        let count = try loop.consumer.partitionCount(of: source.topic, within: timeout)
        try LastRecordCheck.checkPartitions(of: progress, topic: source.topic, count: count)
        try LastRecordCheck(kafka: source.kafka, logger: logger).check(progress, topic: source.topic)
    }

    /// Counts each partition from where the count is to an offset, and commits. It waits for brokers that do not answer.
    ///
    /// - Parameters:
    ///   - progress: the offsets, and the floors of the partitions.
    ///   - limit: how long it may take; `nil` for no limit.
    ///   - onProgress: called with the share of the records that is read, from 0 to 1.
    /// - Throws: `StoreError`, `KafkaError`, ``FunnelConsumerError``, and any error of `onProgress`.
    package func read(
        to progress: [PartitionProgress],
        within limit: Duration? = nil,
        onProgress: (Double) throws -> Void = { _ in }
    ) throws {
        let starts = try progress.compactMap(start)
        guard !starts.isEmpty else { return try loop.commitAll() }
        let total = unreadCount
        try loop.consumer.assign(starts)
        let deadline = limit.map { ContinuousClock.now + $0 }
        while !loop.isAtEnd {
            try onProgress(1 - Double(unreadCount) / Double(total))
            if let deadline, let limit, ContinuousClock.now > deadline {
                throw StoreError.unavailable(
                    "Kafka has not delivered the last \(unreadCount) records within \(limit): \(loop.countRules?.advice ?? "")"
                )
            }
            _ = try loop.step()
        }
        try loop.commitAll()
        try onProgress(1)
    }

    /// The number of offsets that are left to read.
    private var unreadCount: Int64 {
        loop.ends.reduce(0) { $0 + max(0, $1.value - (loop.intake.position(of: $1.key) ?? 0)) }
    }

    /// Begins a partition, or goes on with it.
    ///
    /// - Parameter stored: its progress in the store to which it is counted.
    /// - Returns: where to read; `nil` if it is counted up to there already.
    private func start(_ stored: PartitionProgress) throws -> PartitionStart? {
        let partition = TopicPartition(topic: source.topic, partition: stored.partition)
        let watermarks = try loop.consumer.watermarks(of: partition, within: timeout)
        guard stored.nextOffset <= watermarks.high else {
            throw StoreError.offset(
                stored.nextOffset,
                pastEnd: watermarks.high,
                partition: stored.partition,
                topic: source.topic
            )
        }
        loop.ends[stored.partition] = stored.nextOffset
        if loop.intake.position(of: stored.partition) == nil {
            loop.beginnings.add(stored.partition, at: watermarks.low, watermark: stored.watermark)
            // By its floor the events are late that were late in the other store.
            loop.intake.assign(stored.partition, stored: nil, horizon: stored.floor)
            loop.intake.begin(stored.partition, at: watermarks.low)
        }
        guard let position = loop.intake.position(of: stored.partition), position < stored.nextOffset else {
            return nil
        }
        return PartitionStart(partition, at: .offset(position))
    }

    /// Takes installs out of the funnels, because another count has found too many events of them. The topic may have lost
    /// some of those events. Nothing can be read after that.
    package func cap(_ installs: [[UInt8]]) throws {
        guard !installs.isEmpty else { return }
        var committer = Committer(
            store: store,
            funnels: identity.funnels,
            timeZones: identity.timeZones,
            isNew: false
        )
        try committer.cap(installs)
    }

    /// The number of records that were counted.
    package var recordCount: Int {
        get throws {
            try store.progress().reduce(0) { $0 + Int($1.quality.events + $1.quality.deadLetters) }
        }
    }

    /// The first day of which the topic has all events; `nil` if it has every event.
    package var firstComparableDay: Day? {
        loop.beginnings.firstComparableDay(identity.funnels.map { identity.timeZones.table(of: $0) })
    }

    /// Whether every record that was ever in the topic was counted.
    package var isComplete: Bool { loop.beginnings.isComplete }

    /// Closes the connections, and waits for the store.
    package func close() {
        _ = loop.commitThread.wait()
        loop.close()
    }
}
