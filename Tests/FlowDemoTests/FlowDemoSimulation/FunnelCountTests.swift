import FlowDemoSimulation
import FlowEvents
import Foundation
import FunnelFile
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import Testing

/// Counts the demo's funnels in two independent ways.
@MainActor
@Suite struct FunnelCountTests {
    @Test func `the engine counts a simulated week like the brute force`() async throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../config/funnels.yaml").standardizedFileURL
        let funnels = try FunnelsFile.read(path: file.path)
        let simulation = try await RecordedSimulation(.week(people: 0..<400))
        // Each once: nobody counts repeats here.
        var ids: Set<String> = []
        let events = try await simulation.events + simulation.storeEvents.filter { ids.insert($0.id).inserted }

        var collector = FunnelCollector(funnels: funnels)
        for event in events {
            EventFields.with(event, fields: collector.fields) { collector.insert($0, partition: 0) }
        }
        var counter = FunnelCounter(funnels: funnels)
        var batch = counter.batch(of: collector.takeInterval())
        try batch.count { _ in [] }
        let totals = CountedTotals(batch)
        let store = TemporaryStore()
        _ = try store.open(StoreIdentity(clusterID: "cluster", topic: "app-events", funnels: funnels))
        let advance = PartitionAdvance(
            partition: 0,
            expectedOffset: nil,
            nextOffset: Int64(events.count),
            watermark: events.map(\.time).max(),
            quality: Quality(
                events: Int64(events.count),
                completeness: try #require(totals.quality[0]).completeness
            )
        )
        let commit = StoreCommit(partitions: [advance], installs: batch.writes, summary: totals.summary())
        #expect(try store.commit(commit) == .committed)
        var report = try store.withSnapshot { source in try FunnelReport.figures(from: source, funnels: funnels) }

        // The figures of a test of variants follow from those of the breakdown, which the brute force has.
        let test = try #require(report.funnels.firstIndex { $0.funnel.name == "paywall-layout-test" })
        #expect(report.funnels[test].experiment != nil)
        report.funnels[test].experiment = nil
        let oracle = FunnelOracle(funnels: funnels, records: events.map { FunnelOracle.Record($0) })
        #expect(report == oracle.report())
        for funnel in report.funnels {
            #expect(try #require(funnel.steps.last).count > 0, "\(funnel.funnel.name) shows nothing")
        }
    }
}
