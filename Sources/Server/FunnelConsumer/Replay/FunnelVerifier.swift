public import FlowEvents
public import FunnelStore
public import FunnelStoreSQLite
import Funnels
public import RDKafka
public import Logging

/// Compares a store with its topic: counts the topic again, into a scratch store, and reports the differences.
///
/// ```swift
/// let verifier = FunnelVerifier(kafka: kafka, topic: "app-events", allowedLateness: lateness, logger: logger)
/// let verification = try verifier.verify(store)
/// print(verification.isEqual, verification.differenceCount)
/// ```
///
/// It joins no consumer group and writes nothing to the store, so consumers can keep counting. It reads the store in one
/// snapshot, which it opens after most of the topic is read, and compares the rows of both stores in their order. The memory
/// that it takes is that of a consumer, and that of the reports with all values of their breakdowns, whatever the number of
/// events and installs.
///
/// If the topic has lost the beginning of a partition, only days whose events the topic certainly has are compared: those
/// that begin more than 24 hours after the first record. This requires the broker's timestamps (`LogAppendTime`).
public struct FunnelVerifier: Sendable {
    var source: TopicCount.Source
    private let limit: Int
    private let scratch: ScratchLocation
    private let logger: Logger

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - kafka: librdkafka's properties.
    ///   - topic: the topic of the events.
    ///   - allowedLateness: the lateness that the store was counted with.
    ///   - from: leaves out each partition's records before the first with this timestamp or a later one; `nil` reads all.
    ///   - limit: the number of differences to return with their events.
    ///   - scratch: where the topic is counted.
    ///   - logger: logs the progress.
    public init(
        kafka: KafkaConfiguration,
        topic: String,
        allowedLateness: Duration,
        from: Timestamp? = nil,
        limit: Int = 10,
        scratch: ScratchLocation = .temporary,
        logger: Logger
    ) {
        source = TopicCount.Source(kafka: kafka, topic: topic, allowedLateness: allowedLateness)
        source.from = from
        self.limit = limit
        self.scratch = scratch
        self.logger = logger
    }

    /// Compares the store with the topic. It blocks while it reads the topic, so call it on a thread that may block.
    ///
    /// - Throws: `StoreError`, ``FunnelConsumerError``, `KafkaConfigurationError`.
    public func verify(_ store: any FunnelAuditing) throws -> Verification {
        do {
            let (found, progress, erased) = try store.withAudit {
                (try $0.identity(), try $0.progress(), try $0.erasedInstalls())
            }
            guard var identity = found else {
                throw StoreError.missing("the store is still empty: there is nothing to verify")
            }
            // The topic may have lost the requests.
            identity.erased = erased
            let scratch = try SQLiteScratchStore(at: scratch)
            defer { scratch.remove() }
            let count = try TopicCount(source, identity, into: scratch.store, advice: "verify again", logger: logger)
            defer { count.close() }
            try count.check(identity, progress)
            try count.read(to: progress)
            return try store.withAudit { [identity] audit in
                try count.read(to: audit.progress())
                if !count.isComplete { try repeatCaps(audit, count, funnels: identity.funnels) }
                return try scratch.reader().withAudit { try compare(audit, $0, count, identity) }
            }
        } catch let error as KafkaError {
            throw FunnelConsumerError.kafka(error)
        }
    }

    // If the topic has lost the first events of an install, the count may not find that it has too many.
    private func repeatCaps(_ audit: any FunnelAudit, _ count: TopicCount, funnels: [Funnel]) throws {
        var capped: [[UInt8]] = []
        try audit.forEachInstall { row in
            if try InstallContents(row, funnels: funnels).isCapped { capped.append(row.install) }
        }
        try count.cap(capped)
    }

    private func compare(
        _ audit: any FunnelAudit,
        _ read: any FunnelAudit,
        _ count: TopicCount,
        _ identity: StoreIdentity
    ) throws -> Verification {
        let funnels = identity.funnels
        var verification = Verification(limit: limit)
        verification.recordCount = try count.recordCount
        verification.firstDay = count.firstComparableDay
        var rows = JoinedRows(SortedRows(audit.rows), SortedRows(read.rows))
        while let (install, stored, counted) = try rows.next() {
            verification.compare(
                install,
                stored: try stored.map { try InstallContents($0, funnels: funnels) },
                read: try counted.map { try InstallContents($0, funnels: funnels) },
                funnels: funnels,
                timeZones: identity.timeZones
            )
        }
        try compareReports(audit, read, isComplete: count.isComplete, funnels, &verification)
        return verification
    }

    // Reports are made from the summary, which the store keeps beside the installs.
    private func compareReports(
        _ audit: any FunnelAudit,
        _ counted: any FunnelAudit,
        isComplete: Bool,
        _ funnels: [Funnel],
        _ verification: inout Verification
    ) throws {
        let first = verification.firstDay
        var request = ReportRequest(days: .between(first, nil))
        // All values of the breakdowns are compared.
        request.limits = BreakdownLimits(valueCount: .max)
        let stored = try FunnelReport.make(from: audit.summary, funnels: funnels, request)
        let read = try FunnelReport.make(from: counted.summary, funnels: funnels, request)
        verification.funnelsWithOtherReports = funnels.indices
            .filter { index in
                // The topic may have other first events of some actors: their results are compared one by one.
                if first != nil, funnels[index].entry == .first { return false }
                var stored = stored.funnels[index]
                // The topic may have lost more records since the funnel was rebuilt.
                stored.completeFrom = read.funnels[index].completeFrom
                // Which days are settled depends on how far the partitions are read. An experiment has the settled days.
                stored.states = read.funnels[index].states
                stored.experiment = read.funnels[index].experiment
                return stored != read.funnels[index]
            }
            .map { funnels[$0].name }
        guard isComplete else { return }
        verification.funnelsWithOtherCounts = try funnels.indices
            .filter { try hasOtherCounts($0, audit, counted) }
            .map { funnels[$0].name }
            .filter { !verification.funnelsWithOtherReports.contains($0) }
        var (before, after) = (stored.quality, read.quality)
        // Which installs are unchecked depends on the order of arrival. All others are compared.
        before.completeness = before.completeness - verification.unchecked.stored
        after.completeness = after.completeness - verification.unchecked.read
        // Compaction goes on after the consumer has read.
        before.compacted = after.compacted
        // The repeats of an erased install that came before its request are counted, or not, as the commits were made.
        if before.erasedInstalls > 0 { before.duplicates = after.duplicates }
        if before != after { verification.quality = (stored.quality, read.quality) }
    }

    // A report of all days does not show a count that is wrong in a shorter range.
    private func hasOtherCounts(
        _ funnel: Int,
        _ stored: any FunnelAudit,
        _ read: any FunnelAudit
    ) throws -> Bool {
        try [false, true].contains { byValue in
            try countsHash(of: stored, funnel, byValue: byValue) != countsHash(of: read, funnel, byValue: byValue)
        }
    }

    /// The sum of the hashes of all counts, each times its number of actors.
    ///
    /// Equal counts give equal sums, in whatever order and parts a store has them, and in constant memory: there may be
    /// millions. Different counts give equal sums with a probability of about 2⁻⁶⁴.
    private func countsHash(of audit: any FunnelAudit, _ funnel: Int, byValue: Bool) throws -> UInt64 {
        var sum: UInt64 = 0
        try audit.forEachCount(funnel: funnel, byValue: byValue) { value, day, count in
            var hasher = Hasher()
            hasher.combine(value)
            hasher.combine(day)
            hasher.combine(count.gaps)
            hasher.combine(count.outcome)
            sum &+= UInt64(bitPattern: Int64(hasher.finalize())) &* UInt64(bitPattern: count.actors)
        }
        return sum
    }
}
