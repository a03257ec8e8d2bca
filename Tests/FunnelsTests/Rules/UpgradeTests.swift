import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

/// Tests that the rows and segments of a version that did not count entries are counted on.
@Suite struct UpgradeTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `an older store keeps its figures and counts on, and its attempts are left out of the entries`(
        seed: UInt64
    ) throws {
        var random = RandomFunnels(seed: seed)
        let funnels = try random.funnels()
        let events = random.events(count: 60, installs: 2, days: 20)
        let stream = seed % 3 == 0 ? events : events.sorted { $0.time < $1.time }
        var harness = EngineHarness(funnels: funnels, shape: random.shape())
        var request = ReportRequest()
        request.hasTimes = true
        func report() throws -> [FunnelResult] {
            var report = try FunnelReport.make(from: harness, funnels: funnels, request)
            for index in report.funnels.indices { report.funnels[index].states = DayStates() }
            return report.funnels
        }
        func count(_ events: ArraySlice<Event>) throws {
            for event in events {
                try harness.insert(event)
                if random.generator.chance(20) { try harness.commit() }
            }
            try harness.commit()
        }
        try count(stream[..<40])
        let newer = try report()
        try harness.forgetEntries()
        let older = try report()
        for (newer, older) in zip(newer, older) {
            var newer = newer
            newer.entries = older.entries
            #expect(older == newer && older.entries?.total ?? 0 == 0, "seed \(seed)")
        }

        try count(stream[40...])
        let expected = FunnelOracle(funnels: funnels, records: stream.map { FunnelOracle.Record($0) })
            .report(hasTimes: true)
        for (found, expected) in zip(try report(), expected.funnels) {
            var figures = found
            figures.entries = expected.entries
            #expect(figures == expected, "seed \(seed)")
            #expect(found.entries?.total ?? 0 <= expected.entries?.total ?? 0)
        }
    }
}

extension EntryCounts {
    fileprivate var total: Int { counts.reduce(0, +) }
}
