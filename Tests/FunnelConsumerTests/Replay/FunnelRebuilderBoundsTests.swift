import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import Testing

@testable import FunnelConsumer

/// Rebuilds of stores from which evidence has been removed, and in which installs are capped.
@Suite(.waits, .timeLimit(.minutes(10))) struct FunnelRebuilderBoundsTests {
    private let day: Int64 = 86_400
    private let cluster: Cluster
    private let store = TemporaryStore()
    private let old: [Funnel]
    private let new: [Funnel]

    init() throws {
        cluster = try Cluster(partitions: 2)
        old = try [visitors()] + homeToPaywall()
        // They match all events that the old ones match, and more: more installs have too many.
        new = try [screenToScreen()] + old.reversed()
    }

    private func publish(_ records: [FunnelOracle.Record]) async throws {
        for partition in [0, 1] as [Int32] {
            try await cluster.publish(records.filter { $0.partition == partition }.map(\.event), partition: partition)
        }
    }

    /// Weeks of events, of which the store keeps only some days' evidence, and installs with too many events.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `what is removed and who is capped is rebuilt as if there had only been the new funnels`(seed: UInt64)
        async throws
    {
        var generator = SeededGenerator(seed: seed)
        let lateness = 2 * day
        let limit = 6 + Int(seed % 4)
        let records = weeks(using: &generator)
        func report(_ funnels: [Funnel]) -> FunnelReport {
            FunnelOracle(
                funnels: funnels,
                records: records,
                allowedLateness: lateness * 1000,
                evidenceLimit: limit
            ).report()
        }
        func expect(_ funnels: [Funnel], _ comment: Comment) throws {
            let expected = report(funnels)
            var found = try store.report()
            // Repeats of a capped install's events cannot be distinguished from new events.
            if expected.quality.capped > 0 { found.quality.duplicates = expected.quality.duplicates }
            #expect(found == expected, comment)
        }

        var options = cluster.options(old)
        options.allowedLateness = .seconds(lateness)
        options.evidenceLimit = limit
        for part in [records.prefix(records.count / 2), records.suffix(from: records.count / 2)] {
            try await publish(Array(part))
            // Each run ends with a commit, which removes old evidence.
            try await FunnelConsumer(options: options, store: store, logger: silent).run()
        }
        try expect(old, "before, seed \(seed)")
        let keptBefore = try store.installs(after: nil, limit: RowLimit(rowCount: 100, byteCount: 8 << 20)).reduce(0) {
            sum,
            row in
            try sum + InstallContents(row, funnels: old).events.count
        }
        func rebuild(_ funnels: [Funnel], _ names: [String] = []) async throws {
            var rebuilder = FunnelRebuilder(
                kafka: cluster.configuration,
                topic: Cluster.topic,
                funnels: funnels,
                allowedLateness: .seconds(lateness),
                logger: silent
            )
            rebuilder.source.evidenceLimit = limit
            let result = try await onThread { [rebuilder, store] in
                try rebuilder.rebuild(rebuilder.plan(names, in: store), in: store)
            }
            #expect(result.completeFrom == nil)
        }
        try await rebuild(new)
        try expect(new, "after, seed \(seed)")
        // Installs that have too many events for the new funnels only are counted again, also for the funnels that stay.
        try await rebuild(old)
        try expect(old, "back, seed \(seed)")
        // Otherwise the test has tested nothing.
        let (before, after) = (report(old).quality.capped, report(new).quality.capped)
        #expect(after >= before && after > 0 && after < 6, "seed \(seed)")
        #expect(keptBefore < records.count / 4, "seed \(seed)")
    }

    private func weeks(using generator: inout SeededGenerator) -> [FunnelOracle.Record] {
        let screens = ["home", "paywall", "about", "settings"]
        // One install has as many events as all others together.
        let installs = ["a", "a", "a", "a", "a", "b", "c", "d", "e", "f"]
        var records: [FunnelOracle.Record] = []
        var second: Int64 = 0
        for _ in 0..<240 {
            second += Int64.random(in: 0..<day / 3, using: &generator)
            if generator.chance(10), let again = records.suffix(20).randomElement(using: &generator) {
                records.append(again)
                continue
            }
            // Some are close together, some late.
            let back = generator.pick([0, 0, 0, day, 3 * day]) + Int64.random(in: 0..<120, using: &generator)
            let install = generator.pick(installs)
            let event = screenView(generator.pick(screens), install, second: max(0, second - back))
            records.append(FunnelOracle.Record(event, partition: install < "c" ? 0 : 1))
            if generator.chance(30) {
                records.append(
                    FunnelOracle.Record(
                        screenView(generator.pick(screens), install, second: max(0, second - back) + 5),
                        partition: install < "c" ? 0 : 1
                    )
                )
            }
        }
        return records
    }
}
