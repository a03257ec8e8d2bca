public import FlowEvents
public import FunnelStore
import Funnels
public import RDKafka
public import Logging

/// Compares a store with its topic: counts the topic again, in memory, and reports the differences.
///
/// ```swift
/// let verifier = FunnelVerifier(kafka: kafka, topic: "app-events", allowedLateness: lateness, logger: logger)
/// let verification = try verifier.verify(store)
/// print(verification.isEqual, verification.differenceCount)
/// ```
///
/// It joins no consumer group and writes nothing, so consumers can keep counting. It reads the store in one snapshot, which
/// it opens after most of the topic is read.
///
/// If the topic has lost the beginning of a partition, only days whose events the topic certainly has are compared: those
/// that begin more than 24 hours after the first record. This requires the broker's timestamps (`LogAppendTime`).
public struct FunnelVerifier: Sendable {
    private let kafka: KafkaConfiguration
    private let topic: String
    private let allowedLateness: Duration
    private let from: Timestamp?
    private let limit: Int
    private let logger: Logger
    var evidenceLimit = FunnelBounds.standardEvidenceLimit

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - kafka: librdkafka's properties.
    ///   - topic: the topic of the events.
    ///   - allowedLateness: the lateness that the store was counted with.
    ///   - from: leaves out each partition's records before the first with this timestamp or a later one; `nil` reads all.
    ///   - limit: the number of differences to return with their events.
    ///   - logger: logs the progress.
    public init(
        kafka: KafkaConfiguration,
        topic: String,
        allowedLateness: Duration,
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

    /// Compares the store with the topic. It blocks while it reads the topic, so call it on a thread that may block.
    ///
    /// - Throws: `StoreError`, ``FunnelConsumerError``, `KafkaConfigurationError`.
    public func verify(_ store: any FunnelAuditing) throws -> Verification {
        do {
            let consumer = try Consumer(configuration: kafka, groupID: nil, logger: logger)
            defer { consumer.close() }
            let (identity, progress) = try store.withAudit { (try $0.identity(), try $0.progress()) }
            guard let identity else { throw StoreError.missing("the store is still empty: there is nothing to verify") }
            let reader = TopicReplayReader(
                consumer: consumer,
                kafka: kafka,
                topic: topic,
                advice: "verify again",
                logger: logger
            )
            try reader.check(identity, progress)
            let bounds = FunnelBounds(
                allowedLateness: allowedLateness.wholeMilliseconds,
                evidenceLimit: evidenceLimit
            )
            var replay = try TopicReplay(identity, bounds: bounds, from: from)
            try reader.read(to: progress, &replay)
            return try store.withAudit { audit in
                try reader.read(to: audit.progress(), &replay)
                try replay.settle()
                if !replay.isComplete { try repeatCaps(audit, &replay, funnels: identity.funnels) }
                return try compare(replay, audit, identity)
            }
        } catch let error as KafkaError {
            throw FunnelConsumerError.kafka(error)
        }
    }

    // If the topic has lost the first events of an install, the replay may not find that it has too many.
    private func repeatCaps(_ audit: any FunnelAudit, _ replay: inout TopicReplay, funnels: [Funnel]) throws {
        var read: [[UInt8]] = []
        try replay.store.withAudit { try $0.forEachInstall { read.append($0.install) } }
        var capped: [[UInt8]] = []
        try audit.forEachInstall { row in
            if try InstallContents(row, funnels: funnels).isCapped { capped.append(row.install) }
        }
        try replay.cap(capped)
    }

    private func compare(
        _ replay: TopicReplay,
        _ audit: any FunnelAudit,
        _ identity: StoreIdentity
    ) throws -> Verification {
        let funnels = identity.funnels
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
                funnels: funnels,
                timeZones: identity.timeZones
            )
        }
        for row in read.values.sorted(by: { $0.install.lexicographicallyPrecedes($1.install) }) {
            let contents = try InstallContents(row, funnels: funnels)
            verification.compare(
                row.install,
                stored: nil,
                read: contents,
                funnels: funnels,
                timeZones: identity.timeZones
            )
        }
        try compareReports(replay, audit, funnels, &verification)
        verification.funnelsWithOtherRows = try audit.funnelsWithOtherRows(among: funnels.indices).map {
            funnels[$0].name
        }
        return verification
    }

    // Reports are made from the summary, which the store keeps beside the installs.
    private func compareReports(
        _ replay: TopicReplay,
        _ audit: any FunnelAudit,
        _ funnels: [Funnel],
        _ verification: inout Verification
    ) throws {
        let first = verification.firstDay
        // All values of the breakdowns are compared.
        let limits = BreakdownLimits(valueCount: .max)
        let stored = try FunnelReport.make(from: audit.summary, funnels: funnels, from: first, limits: limits)
        let read = try replay.store.withSnapshot {
            try FunnelReport.make(from: $0, funnels: funnels, from: first, limits: limits)
        }
        verification.funnelsWithOtherReports = funnels.indices
            .filter { index in
                // The topic may have other first events of some actors: their results are compared one by one.
                if first != nil, funnels[index].entry == .first { return false }
                var stored = stored.funnels[index]
                // The topic may have lost more records since the funnel was rebuilt.
                stored.completeFrom = read.funnels[index].completeFrom
                return stored != read.funnels[index]
            }
            .map { funnels[$0].name }
        guard replay.isComplete else { return }
        var (before, after) = (stored.quality, read.quality)
        // Which installs are unchecked depends on the order of arrival. All others are compared.
        before.completeness = before.completeness - verification.unchecked.stored
        after.completeness = after.completeness - verification.unchecked.read
        if before != after { verification.quality = (stored.quality, read.quality) }
    }
}
