public import Events
public import FunnelStore
import Funnels
public import Kafka
public import Logging

/// Checks a store against its topic: counts the topic again, in memory, and compares.
///
/// It disturbs nobody: it is in no consumer group and writes nothing. The consumer may go on meanwhile; the store is
/// held still only for what it has committed since the check began, and for the comparison.
///
/// Where the beginning of a partition is gone, the days are compared whose events the topic still has for sure: those
/// that begin more than 24 hours after the first record that is there. That holds where the topic has the broker's
/// timestamps (`LogAppendTime`).
public struct FunnelVerifier: Sendable {
    private let kafka: KafkaConfiguration
    private let topic: String
    private let allowedLateness: Int64
    private let from: Timestamp?
    private let limit: Int
    private let logger: Logger
    private let timeout = Duration.seconds(15)
    var evidenceLimit = FunnelBounds.standardEvidenceLimit

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - kafka: how the brokers are reached.
    ///   - topic: the topic of the events.
    ///   - allowedLateness: the consumer's, in milliseconds.
    ///   - from: reads from the records of this time on; `nil` for all.
    ///   - limit: how many differences are told in full.
    ///   - logger: is told how it comes along.
    public init(
        kafka: KafkaConfiguration,
        topic: String,
        allowedLateness: Int64,
        from: Timestamp? = nil,
        limit: Int = 10,
        logger: Logger
    ) {
        self.kafka = kafka
        self.topic = topic
        self.allowedLateness = allowedLateness
        self.from = from
        self.limit = limit
        self.logger = logger
    }

    /// Compares. It blocks for as long as reading the topic takes: call it on a thread of your own.
    ///
    /// - Throws: `StoreError`, `DamagedState`, ``FunnelConsumerError``, `KafkaConfigurationError`.
    public func verify(_ store: any FunnelAuditing) throws -> Verification {
        do {
            let consumer = try Consumer(configuration: kafka, groupID: nil, logger: logger)
            defer { consumer.close() }
            let (identity, progress) = try store.withAudit { (try $0.identity(), try $0.progress()) }
            guard let identity else { throw StoreError.missing("the store is still empty: there is nothing to verify") }
            try check(identity, consumer)
            let bounds = FunnelBounds(allowedLateness: allowedLateness, evidenceLimit: evidenceLimit)
            var replay = try TopicReplay(identity, bounds: bounds, from: from)
            try read(consumer, to: progress, &replay)
            return try store.withAudit { audit in
                try read(consumer, to: audit.progress(), &replay)
                try replay.settle()
                if !replay.isComplete { try repeatCaps(audit, &replay, funnels: identity.funnels) }
                return try compare(replay, audit, funnels: identity.funnels)
            }
        } catch let error as KafkaError {
            throw FunnelConsumerError.kafka(error)
        }
    }

    private func check(_ identity: StoreIdentity, _ consumer: Consumer) throws {
        let clusterID: String
        do throws(KafkaError) {
            clusterID = try consumer.clusterID(within: timeout)
        } catch {
            throw FunnelConsumerError.brokersUnreachable(error)
        }
        try StoreIdentity(clusterID: clusterID, topic: topic, funnels: identity.funnels)
            .check(against: identity, in: "the store")
    }

    /// Reads each partition from where the replay stands up to where the store does.
    private func read(_ consumer: Consumer, to progress: [PartitionProgress], _ replay: inout TopicReplay) throws {
        let ends = Dictionary(uniqueKeysWithValues: progress.map { ($0.partition, $0.nextOffset) })
        var starts: [PartitionStart] = []
        for stored in progress {
            let place = TopicPartition(topic: topic, partition: stored.partition)
            let watermarks = try consumer.watermarks(of: place, within: timeout)
            guard stored.nextOffset <= watermarks.high else {
                throw StoreError.otherData(
                    """
                    the store has read partition \(stored.partition) of topic \(topic) up to offset \
                    \(stored.nextOffset), but the partition ends at \(watermarks.high): the topic was deleted and made anew
                    """
                )
            }
            replay.begin(stored.partition, at: watermarks.low, watermark: stored.watermark)
            let position = replay.position(stored.partition)
            if position < stored.nextOffset { starts.append(PartitionStart(place, at: .offset(position))) }
        }
        guard !starts.isEmpty else { return }
        try consumer.assign(starts)
        var notices = Notices()
        while ends.contains(where: { replay.position($0.key) < $0.value }) {
            let poll = consumer.poll(timeout: .milliseconds(100))
            try poll.records.forEach { record in
                let end = ends[record.partition] ?? 0
                guard record.offset < end else { return replay.skip(record.partition, to: end) }
                try replay.take(
                    record.value ?? UnsafeRawBufferPointer(start: nil, count: 0),
                    timestamp: record.timestamp.milliseconds.map(Timestamp.init),
                    partition: record.partition,
                    offset: record.offset
                )
            }
            for event in poll.events { try handle(event, ends, &replay, &notices) }
            notices.limited("progress") {
                logger.info("reading", metadata: ["topic": "\(topic)", "records": "\(replay.recordCount)"])
            }
        }
    }

    private func handle(
        _ event: ConsumerEvent,
        _ ends: [Int32: Int64],
        _ replay: inout TopicReplay,
        _ notices: inout Notices
    ) throws {
        switch event {
        case .endOfPartition(let place, let offset):
            replay.skip(place.partition, to: min(offset, ends[place.partition] ?? offset))
        case .offsetOutOfRange(let place, _, _):
            throw StoreError.unavailable("records of \(place) were deleted while they were read: verify again")
        case .fatal(let error):
            throw error
        case .error(let error), .topicUnavailable(_, let error):
            notices.limited("\(error.code)") {
                logger.warning("Kafka: trying again", metadata: ["error": "\(error)"])
            }
        case .assigned, .revoked, .lost, .commitFailed:
            break
        }
    }

    // With its first events gone, an install may not be found to have too many.
    private func repeatCaps(_ audit: any FunnelAudit, _ replay: inout TopicReplay, funnels: [Funnel]) throws {
        var capped: [[UInt8]] = []
        try audit.forEachInstall { row in
            if try InstallContents(row, funnels: funnels).isCapped { capped.append(row.install) }
        }
        try replay.cap(capped)
    }

    private func compare(
        _ replay: TopicReplay,
        _ audit: any FunnelAudit,
        funnels: [Funnel]
    ) throws -> Verification {
        var verification = Verification(limit: limit)
        verification.recordCount = replay.recordCount
        verification.firstDay = replay.firstComparableDay
        var read: [[UInt8]: StoredInstall] = [:]
        try replay.store.withAudit { try $0.forEachInstall { read[$0.install] = $0 } }
        try audit.forEachInstall { row in
            let other = read.removeValue(forKey: row.install)
            verification.compare(
                row.install,
                stored: try InstallContents(row, funnels: funnels),
                read: try other.map { try InstallContents($0, funnels: funnels) },
                funnels: funnels
            )
        }
        for row in read.values.sorted(by: { $0.install.lexicographicallyPrecedes($1.install) }) {
            let contents = try InstallContents(row, funnels: funnels)
            verification.compare(row.install, stored: nil, read: contents, funnels: funnels)
        }
        try compareReports(replay, audit, funnels, &verification)
        return verification
    }

    // What people read comes from the summary, which is kept beside the installs.
    private func compareReports(
        _ replay: TopicReplay,
        _ audit: any FunnelAudit,
        _ funnels: [Funnel],
        _ verification: inout Verification
    ) throws {
        let first = verification.firstDay
        let stored = try FunnelReport.make(from: audit.summary, funnels: funnels, from: first)
        let read = try replay.store.withSnapshot { try FunnelReport.make(from: $0, funnels: funnels, from: first) }
        verification.reports = funnels.indices
            .filter { stored.funnels[$0] != read.funnels[$0] }
            .map { funnels[$0].name }
        guard replay.isComplete else { return }
        var (before, after) = (stored.quality, read.quality)
        // Which installs are left out depends on how their events came in; and what is not kept cannot differ.
        let isKept = try audit.hasAllSequences()
        if !isKept || before.completeness.unchecked + after.completeness.unchecked > 0 {
            (before.completeness, after.completeness) = (Completeness(), Completeness())
        }
        if before != after { verification.quality = (stored.quality, read.quality) }
    }
}
