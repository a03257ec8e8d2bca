import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

/// Tests the limit for the events of one install.
@Suite struct HotInstallTests {
    @Test func `exactly the limit counts, one more does not, and a repeat is not one more`() throws {
        let funnels = try RandomFunnels.twoSteps()
        let bounds = FunnelBounds(evidenceLimit: 100)
        var harness = BoundedHarness(funnels: funnels, bounds: bounds, partitionCount: 1)
        for number in 0..<100 { harness.insert(.init(screenView("home", "bot", at: Int64(number)))) }
        for number in 0..<100 { harness.insert(.init(screenView("home", "bot", at: Int64(number)))) }
        harness.insert(.init(screenView("home", "person", at: 5)))
        try harness.commit()
        var report = try FunnelReport.make(from: harness.rows, funnels: funnels)
        #expect(report.funnels[0].steps[0].count == 2)
        #expect(report.quality == Quality(events: 201, duplicates: 100))
        harness.insert(.init(screenView("paywall", "bot", at: 1000)))
        try harness.commit()
        report = try FunnelReport.make(from: harness.rows, funnels: funnels)
        #expect(report.funnels[0].steps.map(\.count) == [1, 0])
        #expect(report.quality.capped == 1)
        let row = try #require(harness.rows.all.first { $0.install == Array("bot".utf8) })
        #expect(row.state.count < 16)
        #expect(try InstallContents(row, funnels: funnels).isCapped)
    }

    @Test func `a person of many years is not capped, however many events that makes`() throws {
        let funnels = try RandomFunnels.twoSteps()
        let bounds = FunnelBounds(allowedLateness: 86_400_000, evidenceLimit: 20)
        var harness = BoundedHarness(funnels: funnels, bounds: bounds, partitionCount: 1)
        for day in 0..<200 {
            for hour in 0..<6 {
                harness.insert(
                    .init(screenView("home", "person", at: Int64(day) * 86_400_000 + Int64(hour) * 3_600_000))
                )
            }
            try harness.commit()
        }
        let report = try FunnelReport.make(from: harness.rows, funnels: funnels)
        #expect(report.funnels[0].steps[0].count == 1 && report.quality.capped == 0)
        #expect(try harness.evidence().count <= 20)
    }

    @Test func `a bot of many events costs nothing once it is capped, and others are exact`() throws {
        let funnels = try RandomFunnels.twoSteps()
        let bounds = FunnelBounds(cacheBytes: 1 << 20)
        var harness = BoundedHarness(funnels: funnels, bounds: bounds, partitionCount: 1)
        var others: [FunnelOracle.Record] = []
        let screens = ["home", "paywall"]
        let bot = screenView("home", "bot", at: 0)
        var workAtCap = 0
        for batch in 0..<40 {
            EventFields.with(bot, fields: harness.engine.fields) { fields in
                for number in 0..<10_000 { harness.insert(copyOf: fields, number: batch * 10_000 + number) }
            }
            for number in 0..<3 {
                let time = Int64(batch) * 1000 + Int64(number)
                let record = FunnelOracle.Record(screenView(screens[number % 2], "person-\(batch % 7)", at: time))
                others.append(record)
                harness.insert(record)
            }
            try harness.commit()
            // The eleventh commit has its 100,001st event.
            if batch == 10 { workAtCap = harness.engine.counter.visitedEvidence }
        }
        let report = try FunnelReport.make(from: harness.rows, funnels: funnels)
        let expected = FunnelOracle(funnels: funnels, records: others).report()
        #expect(report.funnels == expected.funnels)
        #expect(report.quality.events == 400_120 && report.quality.capped == 1)
        // Each commit decodes the evidence that the bot has at that time: 0, 10,000, … 100,000.
        #expect(workAtCap <= 560_000)
        // Only the 120 events of the other installs are decoded.
        #expect(harness.engine.counter.visitedEvidence - workAtCap < 10_000)
        #expect(harness.engine.counter.cacheByteCount < 100_000)
    }
}
