public import FlowEvents
public import FunnelStore
import Funnels
public import RDKafka
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
            let reader = TopicReplayReader(consumer: consumer, topic: topic, wayOut: "verify again", logger: logger)
            try reader.check(identity)
            let bounds = FunnelBounds(allowedLateness: allowedLateness, evidenceLimit: evidenceLimit)
            var replay = try TopicReplay(identity, bounds: bounds, from: from)
            try reader.read(to: progress, &replay)
            return try store.withAudit { audit in
                try reader.read(to: audit.progress(), &replay)
                try replay.settle()
                if !replay.isComplete { try repeatCaps(audit, &replay, funnels: identity.funnels) }
                return try compare(replay, audit, funnels: identity.funnels)
            }
        } catch let error as KafkaError {
            throw FunnelConsumerError.kafka(error)
        }
    }

    // With its first events gone, an install may not be found to have too many.
    private func repeatCaps(_ audit: any FunnelAudit, _ replay: inout TopicReplay, funnels: [Funnel]) throws {
        var read: [[UInt8]] = []
        try replay.store.withAudit { try $0.forEachInstall(known: []) { read.append($0.install) } }
        var capped: [[UInt8]] = []
        try audit.forEachInstall(known: read) { row in
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
        try replay.store.withAudit { try $0.forEachInstall(known: []) { read[$0.install] = $0 } }
        try audit.forEachInstall(known: read.keys) { row in
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
            .filter { place in
                var stored = stored.funnels[place]
                // What the topic had lost when the funnel was rebuilt is not what it has lost now.
                stored.completeFrom = read.funnels[place].completeFrom
                return stored != read.funnels[place]
            }
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
