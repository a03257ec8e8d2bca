import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import RDKafka
import Logging
import Testing

@testable import FunnelConsumer

@Suite(.waits, .timeLimit(.minutes(10))) struct FunnelRebuilderTests {
    private static let day: Int64 = 86_400
    private let cluster: Cluster
    private let store = TemporaryStore()
    private let old: [Funnel]
    private let new: [Funnel]

    init() throws {
        cluster = try Cluster(partitions: 2)
        old = try [visitors()] + homeToPaywall()
        new = try [
            screenToScreen(),
            Funnel(name: "home-to-paywall", window: .seconds(10), steps: homeToPaywall()[0].steps),
            visitors(),
        ]
    }

    private func rebuilder(_ funnels: [Funnel], logger: Logger = silent) -> FunnelRebuilder {
        FunnelRebuilder(
            kafka: cluster.configuration,
            topic: Cluster.topic,
            funnels: funnels,
            allowedLateness: .seconds(14 * Self.day),
            logger: logger
        )
    }

    private func rebuild(_ names: [String] = [], onProgress: @escaping @Sendable (Double) throws -> Void = { _ in })
        async throws -> RebuildResult
    {
        let (rebuilder, store) = (rebuilder(new), store)
        return try await onThread {
            try rebuilder.rebuild(rebuilder.plan(names, in: store), in: store, onProgress: onProgress)
        }
    }

    /// Repeats, some of them of events that match only a new funnel, late events, and an install in two partitions.
    private func records() -> [FunnelOracle.Record] {
        let first = [
            screenView("home", "a", second: 0), screenView("paywall", "a", second: 60),
            screenView("home", "a", second: 0),
            screenView("about", "a", second: 70), screenView("about", "a", second: 70),
            screenView("home", "b", second: Self.day),
            screenView("home", "c", second: 40 * Self.day), screenView("home", "b", second: 1),
        ]
        let second = [screenView("paywall", "b", second: Self.day + 5), screenView("settings", "d", second: 9)]
        return first.map { .init($0, partition: 0) } + second.map { .init($0, partition: 1) }
    }

    private func publish(_ records: [FunnelOracle.Record]) async throws {
        for partition in [0, 1] as [Int32] {
            try await cluster.publish(records.filter { $0.partition == partition }.map(\.event), partition: partition)
        }
    }

    private func expected(_ records: [FunnelOracle.Record], _ funnels: [Funnel], deadLetters: Int64) -> FunnelReport {
        var report = FunnelOracle(funnels: funnels, records: records, allowedLateness: 14 * Self.day * 1000).report()
        report.quality.deadLetters = deadLetters
        return report
    }

    @Test func `another topic of the same name is refused as by the consumer`() async throws {
        try await cluster.publish([screenView("home", "a", second: 0)])
        try await cluster.count(old, into: store)
        try store.forgeMark { $0.timestamp += 1 }
        let refusal = try await #require(throws: StoreError.self) { try await cluster.count(old, into: store) }
        let error = try await #require(throws: StoreError.self) { _ = try await rebuild() }
        #expect(error == refusal && error.code == .otherData)
        #expect(try store.identity()?.funnels == old)
    }

    @Test func `a rebuilt store reports what the new funnels alone would have counted`() async throws {
        try await publish(records())
        try await cluster.publish([message("no event")])
        try await cluster.count(old, into: store)
        #expect(try store.report() == expected(records(), old, deadLetters: 1))
        let rebuild = try await rebuild()
        #expect(try store.report() == expected(records(), new, deadLetters: 1))
        #expect(rebuild.recordCount == 11 && rebuild.completeFrom == nil && rebuild.installCount == 4)
        // The two sets of funnels differ in this: repeats that match only a new funnel.
        #expect(try store.report().quality.duplicates == 2 && store.report().quality.late == 1)
        let verifier = FunnelVerifier(
            kafka: cluster.configuration,
            topic: Cluster.topic,
            allowedLateness: .seconds(14 * Self.day),
            logger: silent
        )
        let verification = try await onThread { [store] in try verifier.verify(store) }
        #expect(verification.isEqual && verification.installCount == 4)
    }

    @Test func `a named funnel is rebuilt and the others stay as the store has them`() async throws {
        try await publish(records())
        try await cluster.count(old, into: store)
        _ = try await rebuild(["settings"])
        #expect(try store.report() == expected(records(), [new[0]] + [old[1], old[0]], deadLetters: 0))
    }

    @Test func `a running consumer whose file says the same goes on with the new funnels`() async throws {
        try await publish(records())
        var options = cluster.options(old, exitsAtEnd: false)
        options.rereadFunnels = { [new] in new }
        let lines = LogLines()
        let consumer = FunnelConsumer(options: options, store: store, logger: lines.logger)
        async let run: Void = consumer.run()
        try await until("the records are counted") { try store.eventCount() == 10 }
        // More records arrive after the topic is read and before the store is locked. Running consumers count some of them
        // with the old funnels.
        let more = [
            screenView("paywall", "c", second: 40 * Self.day + 3),
            screenView("settings", "a", second: 90 + 30 * Self.day),
        ]
        let publication = Flag()
        _ = try await rebuild { [cluster, store] share in
            guard share == 1, publication.raise() else { return }
            blocking { [cluster, store] in
                try? await cluster.publish(more)
                try? await until("they are counted") { try store.eventCount() == 12 }
            }
        }
        let last = [
            screenView("settings", "c", second: 40 * Self.day + 9), screenView("home", "new", second: 30 * Self.day),
        ]
        try await cluster.publish(last)
        try await until("the last are counted") { try store.eventCount() == 14 }
        consumer.stop()
        try await run
        #expect(lines.contains("going on with them"))
        let all = records() + (more + last).map { FunnelOracle.Record($0) }
        #expect(try store.report() == expected(all, new, deadLetters: 0))
    }

    @Test func `a running consumer whose file says something else stops and says so`() async throws {
        try await publish(records())
        let consumer = FunnelConsumer(options: cluster.options(old, exitsAtEnd: false), store: store, logger: silent)
        async let run: Void = consumer.run()
        try await until("the records are counted") { try store.eventCount() == 10 }
        _ = try await rebuild()
        try await cluster.publish([screenView("home", "e", second: 30 * Self.day)])
        do {
            try await run
            Issue.record("it went on")
        } catch let error as StoreError {
            #expect(error.code == .otherData)
            let sentence = error.message
            #expect(sentence.contains("a rebuild has changed the funnels") && sentence.contains("removed: settings"))
        }
        // What it counted with the old funnels was not committed.
        #expect(try store.report() == expected(records(), new, deadLetters: 0))
        try await cluster.count(new, into: store)
        let all = records() + [FunnelOracle.Record(screenView("home", "e", second: 30 * Self.day))]
        #expect(try store.report() == expected(all, new, deadLetters: 0))
    }

    @Test func `a rebuild that fails in the middle leaves the store as it was`() async throws {
        struct Interruption: Error {}
        try await publish(records())
        try await cluster.count(old, into: store)
        await #expect(throws: Interruption.self) {
            _ = try await rebuild { if $0 == 1 { throw Interruption() } }
        }
        #expect(try store.report() == expected(records(), old, deadLetters: 0))
        _ = try await rebuild()
        #expect(try store.report() == expected(records(), new, deadLetters: 0))
    }

    @Test func `where the topic has lost its beginning, the kept funnels stay whole and the rebuilt say since when`()
        async throws
    {
        try await publish(records())
        try await cluster.count(old, into: store)
        let whole = try store.report().funnels
        // The broker keeps about 5 MiB of a partition.
        let filler = String(repeating: "x", count: 900_000)
        try await cluster.publish(
            (0..<12).map { _ in message(filler) },
            ["message.max.bytes": "4000000", "compression.type": "none"]
        )
        try await cluster.publish([
            screenView("home", "c", second: 41 * Self.day), screenView("paywall", "c", second: 41 * Self.day + 9),
        ])
        try await cluster.count(old, into: store)
        let before = try store.report()
        let rebuild = try await rebuild(["home-to-paywall"])
        let report = try store.report()
        let completeFrom = try #require(rebuild.completeFrom)
        #expect(report.funnels.map(\.funnel.name) == ["home-to-paywall", "visitors"])
        #expect(report.funnels.map(\.completeFrom) == [completeFrom, nil])
        #expect(report.funnels[1] == before.funnels[0] && report.funnels[1].steps == whole[0].steps)
        #expect(report.funnels[0].steps.map(\.count) == [1, 1] && report.quality == before.quality)
    }

    @Test func `an erased install stays out of a rebuild and of a verification after the topic has lost the request`()
        async throws
    {
        try await publish(records())
        let time = screenView("home", "a", second: 100).time
        try await cluster.publish([
            Event(id: "r", source: "app://a", type: ErasureRequest.eventType, time: time, installID: "a")
        ])
        try await cluster.count(old, into: store)
        // The broker keeps about 5 MiB of a partition.
        let filler = String(repeating: "x", count: 900_000)
        try await cluster.publish(
            (0..<12).map { _ in message(filler) },
            ["message.max.bytes": "4000000", "compression.type": "none"]
        )
        try await cluster.publish(
            ["a", "c"].flatMap { install in
                [
                    screenView("home", install, second: 41 * Self.day),
                    screenView("paywall", install, second: 41 * Self.day + 9),
                ]
            }
        )
        try await cluster.count(old, into: store)
        let quality = try store.report().quality
        _ = try await rebuild(["home-to-paywall"])
        let report = try store.report()
        #expect(report.funnels[0].steps.map(\.count) == [1, 1])
        #expect(report.quality == quality && quality.erasedInstalls == 1)
        let verifier = FunnelVerifier(
            kafka: cluster.configuration,
            topic: Cluster.topic,
            allowedLateness: .seconds(14 * Self.day),
            logger: silent
        )
        let store = store
        #expect(try await onThread { try verifier.verify(store) }.isEqual)
    }

    @Test func `a plan of funnels that another rebuild has changed since is refused`() async throws {
        try await publish(records())
        try await cluster.count(old, into: store)
        let (rebuilder, other, store) = (rebuilder(new), rebuilder([old[1], old[0]]), store)
        let plan = try rebuilder.plan([], in: store)
        try await onThread { _ = try other.rebuild(other.plan([], in: store), in: store) }
        let report = try store.report()
        let error = await #expect(throws: StoreError.self) {
            try await onThread { _ = try rebuilder.rebuild(plan, in: store) }
        }
        #expect(error?.code == .unavailable && error?.message.contains("rebuild again") == true)
        #expect(try store.report() == report)
    }

    @Test func `an empty store has nothing to rebuild, and another topic's is refused`() async throws {
        let (rebuilder, store) = (rebuilder(new), store)
        let error = #expect(throws: StoreError.self) { try rebuilder.plan([], in: store) }
        #expect(error?.description.contains("still empty") == true)
        try await publish(records())
        try await cluster.count(old, into: store)
        let other = FunnelRebuilder(
            kafka: cluster.configuration,
            topic: "other",
            funnels: new,
            allowedLateness: .zero,
            logger: silent
        )
        let refusal = await #expect(throws: StoreError.self) {
            try await onThread { _ = try other.rebuild(other.plan([], in: store), in: store) }
        }
        #expect(refusal?.description.contains("'app-events', not of 'other'") == true)
    }
}
