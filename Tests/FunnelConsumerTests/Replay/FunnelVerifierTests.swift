import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import FunnelStoreSQLite
import FunnelTestSupport
import Funnels
import RDKafka
import Testing

@testable import FunnelConsumer

@Suite(.waits, .timeLimit(.minutes(10))) struct FunnelVerifierTests {
    private let cluster: Cluster
    private let store = TemporaryStore()
    private let funnels: [Funnel]

    init() throws {
        cluster = try Cluster(partitions: 2)
        funnels = try homeToPaywall()
    }

    private func verify(
        _ store: any FunnelAuditing & Sendable,
        from: Timestamp? = nil,
        evidenceLimit: Int = FunnelBounds.standardEvidenceLimit
    ) async throws -> Verification {
        var verifier = FunnelVerifier(
            kafka: cluster.configuration,
            topic: Cluster.topic,
            allowedLateness: .seconds(14 * 86_400),
            from: from,
            logger: silent
        )
        verifier.source.evidenceLimit = evidenceLimit
        return try await onThread { [verifier] in try verifier.verify(store) }
    }

    /// Repeats, late events, dead letters and an install in two partitions.
    private func publishAll() async throws {
        let day: Int64 = 86_400
        try await cluster.publish(
            [
                screenView("home", "a", second: 0), screenView("paywall", "a", second: 60),
                screenView("home", "a", second: 0),
                screenView("home", "b", second: day), screenView("home", "c", second: 40 * day),
                screenView("home", "b", second: 1),
            ],
            partition: 0
        )
        try await cluster.publish(
            [screenView("paywall", "b", second: day + 5), screenView("home", "d", second: 9)],
            partition: 1
        )
        try await cluster.publish([message("no event")])
    }

    @Test func `a store that has what the topic has does not differ`() async throws {
        try await publishAll()
        try await cluster.count(funnels, into: store)
        let verification = try await verify(store)
        #expect(verification.isEqual && verification.differences.isEmpty)
        #expect(verification.recordCount == 9 && verification.installCount == 4 && verification.firstDay == nil)
        #expect(verification.resultCount == 4)
        #expect(try store.report().quality == Quality(events: 8, duplicates: 1, late: 1, deadLetters: 1))
    }

    @Test func `what came after the store's offsets is not missed in it`() async throws {
        try await publishAll()
        try await cluster.count(funnels, into: store)
        try await cluster.publish([screenView("home", "late to come", second: 10)])
        #expect(try await verify(store).isEqual)
    }

    @Test func `an event that the store lost is a difference with its actor and events`() async throws {
        try await publishAll()
        let faulty = TemporaryStore()
        try await cluster.count(funnels, into: ForgetfulStore(store: faulty, install: "b"))
        let verification = try await verify(faulty)
        #expect(!verification.isEqual && verification.differenceCount == 1)
        let difference = try #require(verification.differences.first)
        #expect(difference.results.install == Array("b".utf8))
        #expect(difference.results.first == nil && difference.results.second?.outcome.rank == 2)
        #expect(difference.stored.isEmpty && difference.read.count == 2)
        #expect(difference.funnel.name == "home-to-paywall")
    }

    @Test func `what the store has and the topic has not is a difference`() async throws {
        try await publishAll()
        try await cluster.count(funnels, into: store)
        try insert(screenView("home", "invented", second: 100))
        let verification = try await verify(store)
        #expect(verification.differenceCount == 1 && verification.funnelsWithOtherReports == ["home-to-paywall"])
        let difference = try #require(verification.differences.first)
        #expect(difference.results.install == Array("invented".utf8))
        #expect(difference.results.first?.outcome.rank == 1 && difference.results.second == nil)
        #expect(verification.quality != nil)
    }

    @Test func `from a time on, the days are compared that are there for sure`() async throws {
        try await publishAll()
        try await cluster.count(funnels, into: store)
        // The record of the second is published at the time of its event.
        let from = screenView("home", "b", second: 86_400).time
        let verification = try await verify(store, from: from)
        #expect(verification.isEqual)
        let first = try #require(verification.firstDay)
        #expect(first > Day(containing: from) && verification.resultCount == 1)
    }

    @Test(arguments: [false, true])
    func `a capped install is no difference, also where the topic has too few of its events left`(
        isBeginningLeftOut: Bool
    ) async throws {
        let day: Int64 = 86_400
        var events = (0..<30).map { screenView("home", "bot", second: $0) }
        events += [screenView("home", "a", second: 40 * day), screenView("home", "bot", second: 40 * day)]
        events += [screenView("home", "bot", second: 43 * day), screenView("paywall", "a", second: 43 * day)]
        try await cluster.publish(events, partition: 0)
        var options = cluster.options(funnels)
        options.evidenceLimit = 20
        try await FunnelConsumer(options: options, store: store, logger: silent).run()
        #expect(try store.report().quality.capped == 1)
        let from = isBeginningLeftOut ? events[30].time : nil
        let verification = try await verify(store, from: from, evidenceLimit: 20)
        #expect(verification.isEqual && verification.installCount == 2)
        // Without the limit, the bot is counted.
        let other = try await verify(store, from: from)
        #expect(other.isEqual == isBeginningLeftOut)
    }

    @Test func `evidence that was removed is no difference`() async throws {
        let day: Int64 = 86_400
        for partition in 0..<2 as Range<Int32> {
            let days = (0..<60).map { screenView("home", "p\(partition)-\($0 % 7)", second: Int64($0) * day) }
            for part in stride(from: 0, to: 60, by: 20) {
                try await cluster.publish(Array(days[part..<(part + 20)]), partition: partition)
                try await cluster.count(funnels, into: store)
            }
        }
        try await cluster.publish([screenView("home", "p0-1", second: 60 * day)], partition: 0)
        try await cluster.count(funnels, into: store)
        try await cluster.publish([screenView("home", "p0-2", second: 60 * day)], partition: 0)
        try await cluster.count(funnels, into: store)
        let evidence = try store.withAudit { audit in
            var count = 0
            try audit.forEachInstall { count += try InstallContents($0, funnels: funnels).events.count }
            return count
        }
        #expect(evidence < 80, "of 122")
        let verification = try await verify(store)
        #expect(verification.isEqual && verification.resultCount == 122 && verification.quality == nil)
    }

    @Test func `another topic of the same name is refused as by the consumer`() async throws {
        try await publishAll()
        try await cluster.count(funnels, into: store)
        try store.forgeMark { $0.checksum += 1 }
        let refusal = try await #require(throws: StoreError.self) { try await cluster.count(funnels, into: store) }
        #expect(refusal.code == .otherData)
        let error = try await #require(throws: StoreError.self) { _ = try await verify(store) }
        #expect(error == refusal)
    }

    @Test func `an install whose numbers cannot be right keeps no other one from being compared`() async throws {
        func numbered(_ install: String, _ sequence: Int64) -> Event {
            var event = screenView("cart", install, second: 0, id: "\(sequence)")
            event.sequence = sequence
            return event
        }
        try await cluster.publish([
            numbered("a", 0), numbered("a", 2_000_000), numbered("b", 1), numbered("b", 4),
        ])
        try await cluster.count(funnels, into: store)
        let right = try await verify(store)
        #expect(right.isEqual && right.uncheckedInstallCount == 1)
        try insert(numbered("b", 2), isCounted: false)
        let wrong = try await verify(store)
        let quality = try #require(wrong.quality)
        #expect(!wrong.isEqual && quality.stored.completeness.missing == 1 && quality.read.completeness.missing == 2)
    }

    @Test func `a store in SQLite is read while it is there, and another topic's is refused`() async throws {
        try await publishAll()
        let path = FileManager.default.temporaryDirectory.appending(path: "verify-\(UUID()).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        let counted = try SQLiteFunnelStore(path: path)
        try await cluster.count(funnels, into: counted)
        let configuration = cluster.configuration
        let verification = try await onThread {
            try FunnelVerifier(
                kafka: configuration,
                topic: Cluster.topic,
                allowedLateness: .seconds(14 * 86_400),
                logger: silent
            ).verify(SQLiteFunnelReader(path: path))
        }
        #expect(verification.isEqual && verification.installCount == 4)
        let error = await #expect(throws: StoreError.self) {
            try await onThread {
                _ = try FunnelVerifier(kafka: configuration, topic: "other", allowedLateness: .zero, logger: silent)
                    .verify(SQLiteFunnelReader(path: path))
            }
        }
        #expect(error?.description.contains("'app-events', not of 'other'") == true)
        try counted.close()
    }

    /// Adds an event to the store that is in no record.
    ///
    /// - Parameter isCounted: whether the store counts it among its events.
    private func insert(_ event: Event, isCounted: Bool = true) throws {
        var intake = RecordIntake(funnels: funnels, allowedLateness: 14 * 86_400_000)
        let stored = try #require(try store.progress().first { $0.partition == 1 })
        intake.assign(1, stored: stored)
        try event.encoded().withUnsafeBytes {
            _ = intake.take($0, timestamp: nil, partition: 1, offset: stored.nextOffset)
        }
        var advance = try #require(intake.takeAdvances().first)
        // The offset does not change, because nothing was read.
        advance.nextOffset = stored.nextOffset
        if !isCounted { advance.quality = Quality() }
        var committer = Committer(store: store, funnels: funnels, isNew: false)
        #expect(try committer.commit(intake.takeInterval(), [advance]) == nil)
    }
}

/// A store that loses the rows of one install.
private struct ForgetfulStore: FunnelStore {
    let store: TemporaryStore
    let install: String

    func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress] { try store.open(identity) }
    func progress() throws(StoreError) -> [PartitionProgress] { try store.progress() }
    func installs(_ installs: [[UInt8]], history: HistoryPart) throws(StoreError) -> [StoredInstall] {
        try store.installs(installs, history: history)
    }
    func horizon() throws(StoreError) -> Timestamp? { try store.horizon() }
    func raiseHorizon(_ facts: TopicSettings) throws(StoreError) -> Timestamp? { try store.raiseHorizon(facts) }
    func takeRebuiltFunnels() throws(StoreError) -> RebuiltFunnels? { try store.takeRebuiltFunnels() }
    func close() {}

    func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome {
        var commit = commit
        commit.installs.removeAll { $0.install == Array(install.utf8) }
        return try store.commit(commit)
    }
}
