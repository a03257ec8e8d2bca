import FlowEvents
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Testing

@testable import Funnels

/// The view `funnel_results` for funnels with optional steps and values of several parts.
@Suite struct QuestionsViewTests {
    private static func funnel() throws -> Funnel {
        try Funnel(
            name: "questions",
            count: .installs,
            window: .seconds(3600),
            breakdown: Breakdown(list: [.init("screen"), .init("screen", ofStep: "pause")])
        ) {
            Step(name: "view", event: "screen_view")
            Step(name: "pause", event: "screen_view").where("screen", .is("settings")).optional()
            Step(name: "purchase", event: "purchase")
        }
    }

    @Test(arguments: StoreUnderTest.all, [1, 2, 3] as [UInt64])
    func `depth counts required steps, and a list of values is JSON text`(kind: StoreUnderTest, seed: UInt64) throws {
        let funnel = try Self.funnel()
        let open = try OpenStore(kind)
        try open.rebuilder.rebuild { try $0.setFunnels([funnel], counted: [funnel.name], completeFrom: nil) }
        _ = try open.store.takeRebuiltFunnels()
        var random = RandomFunnels(seed: seed)
        let events = random.events(count: 400, installs: 25)
        var collector = FunnelCollector(funnels: [funnel])
        for event in events {
            EventFields.with(event, fields: collector.fields) { collector.insert($0, partition: 0) }
        }
        var counter = FunnelCounter(funnels: [funnel])
        var batch = counter.batch(of: collector.takeInterval())
        try batch.count { _ in [] }
        #expect(try open.commit([], batch.writes, CountedTotals(batch).summary()) == .committed)

        let report = try open.reader.withSnapshot { try FunnelReport.figures(from: $0, funnels: [funnel]).funnels[0] }
        #expect(report.steps[0].count > 0 && report.steps[1].count > 0 && report.steps[2].count > 0)
        let query = try open.makeQuery()
        func count(_ condition: String, _ depth: Int) throws -> Int {
            let days = "previous_day IS NULL AND depth >= \(depth) AND \(condition)"
            return Int(try query("SELECT CAST(coalesce(sum(actors), 0) AS bigint) FROM funnel_results WHERE \(days)"))
        }
        // The first and the last day of an actor alone: those before which it was no deeper, and after it not either.
        let whole = "value IS NULL AND next_day IS NULL"
        #expect(try count(whole, 1) == report.steps[0].count)
        #expect(try count(whole, 2) == report.steps[2].count)
        #expect(try count(whole, 3) == 0)
        let values = try #require(report.breakdown)
        #expect(values.contains { $0.value == .list(["home", "settings"]) })
        for part in values {
            let text = part.value.description.replacing("'", with: "''")
            let condition = "value = '\(text)' AND next_day IS NULL"
            #expect(try count(condition, 1) == part.steps[0].count, "\(text)")
            #expect(try count(condition, 2) == part.steps[2].count, "\(text)")
        }
        #expect(BreakdownValue.list(["home", "settings"]).description == #"["home","settings"]"#)
    }
}
