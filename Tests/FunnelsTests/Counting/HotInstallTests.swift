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
        var topic = try CountedTopic(funnels: funnels, bounds: bounds, partitionCount: 1)
        for number in 0..<100 { try topic.insert(.init(screenView("home", "bot", at: Int64(number)))) }
        for number in 0..<100 { try topic.insert(.init(screenView("home", "bot", at: Int64(number)))) }
        try topic.insert(.init(screenView("home", "person", at: 5)))
        try topic.commit()
        var report = try FunnelReport.figures(from: topic, funnels: funnels)
        #expect(report.funnels[0].steps[0].count == 2)
        #expect(report.quality == Quality(events: 201, duplicates: 100))
        try topic.insert(.init(screenView("paywall", "bot", at: 1000)))
        try topic.commit()
        report = try FunnelReport.figures(from: topic, funnels: funnels)
        #expect(report.funnels[0].steps.map(\.count) == [1, 0])
        #expect(report.quality.capped == 1)
        let row = try #require(topic.rows().first { $0.install == Array("bot".utf8) })
        #expect(row.state.count < 16)
        #expect(try InstallContents(row, funnels: funnels).isCapped)
    }

    @Test func `a person of many years is not capped, however many events that makes`() throws {
        let funnels = try RandomFunnels.twoSteps()
        let bounds = FunnelBounds(allowedLateness: 86_400_000, evidenceLimit: 20)
        var topic = try CountedTopic(funnels: funnels, bounds: bounds, partitionCount: 1)
        for day in 0..<200 {
            for hour in 0..<6 {
                try topic.insert(
                    .init(screenView("home", "person", at: Int64(day) * 86_400_000 + Int64(hour) * 3_600_000))
                )
            }
            try topic.commit()
        }
        let report = try FunnelReport.figures(from: topic, funnels: funnels)
        #expect(report.funnels[0].steps[0].count == 1 && report.quality.capped == 0)
        #expect(try topic.contents().map(\.events.count).reduce(0, +) <= 20)
    }

    @Test func `a bot of many events costs nothing once it is capped, and others are exact`() throws {
        let funnels = try RandomFunnels.twoSteps()
        let bounds = FunnelBounds(cacheBytes: 1 << 20, evidenceLimit: 10_000)
        var topic = try CountedTopic(funnels: funnels, bounds: bounds, partitionCount: 1)
        var others: [FunnelOracle.Record] = []
        let screens = ["home", "paywall"]
        for batch in 0..<40 {
            let reads = topic.historyReadCount
            for number in 0..<1000 { try topic.insert(screenView("home", "bot", at: Int64(batch * 1000 + number))) }
            for number in 0..<3 {
                let time = Int64(batch) * 1000 + Int64(number)
                let record = FunnelOracle.Record(screenView(screens[number % 2], "person-\(batch % 7)", at: time))
                others.append(record)
                try topic.insert(record)
            }
            try topic.commit()
            // The eleventh commit has its 10,001st event. From then on its row is small and not written again.
            guard batch > 10 else { continue }
            #expect(!topic.written.contains { $0.install == Array("bot".utf8) } && topic.historyReadCount == reads)
        }
        let report = try FunnelReport.figures(from: topic, funnels: funnels)
        let expected = FunnelOracle(funnels: funnels, records: others).report()
        #expect(report.funnels == expected.funnels)
        #expect(report.quality.events == 40_120 && report.quality.capped == 1)
        #expect(topic.counter.cacheByteCount < 100_000)
    }
}
