import FlowEvents
import Foundation
import FunnelReports
import Testing

@testable import Funnels

@Suite struct JSONReportTests {
    @Test func `the report of the examples is written as in the contract, but for the days`() throws {
        let text = JSONReport.render(try ExampleReport.make())
        // The contract's example leaves out what depends on the partitions.
        let days = "   \"settled_to\": null,\n   \"final_to\": null,\n"
        #expect(text.components(separatedBy: days).count == 4)
        #expect(text.replacing(days, with: "") == (try ExampleReport.fixture("report.json")) + "\n")
    }

    @Test func `all that a report can have is written with the keys of the contract`() throws {
        var report = try ExampleReport.full()
        report.funnels[0].timeZone = "Europe/Berlin"
        report.funnels[0].firstKnownFrom = Day("2026-11-01")
        report.funnels[0].entries = EntryCounts(counts: [5, 4, 3, 2, 1])
        report.funnels[0].steps[0].excluded = 7
        report.funnels[0].steps[1].sums = StepSums(
            decimals: 2,
            without: 3,
            units: [StepSums.Unit(unit: "EUR", sum: 123_450, count: 120)]
        )
        let document = try JSONSerialization.jsonObject(with: Data(JSONReport.render(report).utf8))
        let funnel = try #require(((document as? [String: Any])?["funnels"] as? [[String: Any]])?.first)
        #expect(
            Set(funnel.keys) == [
                "name", "count", "window_seconds", "timezone", "from", "to", "first_known_from", "settled_to",
                "final_to", "held_back_by", "steps", "entries", "breakdown", "trend", "comparison",
            ]
        )
        #expect(funnel["settled_to"] as? String == "2026-11-19" && funnel["final_to"] as? String == "2026-11-05")
        let held = try #require(funnel["held_back_by"] as? [String: [String: Any]])
        #expect(held["settled"]?["partition"] as? Int == 3)
        #expect(held["settled"]?["time"] as? String == "2026-11-20T10:15:00.000Z")
        #expect(held["final"]?["partition"] as? Int == 5 && held["final"]?["time"] is NSNull)
        #expect(funnel["entries"] as? [String: Int] == ["1": 5, "2": 4, "3": 3, "4": 2, "5+": 1])
        let steps = try #require(funnel["steps"] as? [[String: Any]])
        #expect(steps[0]["excluded"] as? Int == 7 && steps[1]["excluded"] == nil)
        #expect(steps[0]["conversion_from_first_interval"] is NSNull && steps[0]["times"] == nil)
        let sums = try #require(steps[1]["sums"] as? [String: Any])
        #expect(sums["decimals"] as? Int == 2 && sums["without"] as? Int == 3)
        #expect((sums["units"] as? [[String: Any]])?.first?["sum"] as? Int == 123_450)
        let times = try #require(steps[1]["times"] as? [String: [String: Any]])
        #expect(Set(times.keys) == ["from_first", "from_previous"])
        #expect(times["from_first"]?["p90"] as? Int == 25_000)
        let histogram = try #require(times["from_first"]?["histogram"] as? [[String: Any]])
        #expect(histogram.count == 21 && histogram[0]["to_ms"] as? Int == 1000 && histogram[20]["to_ms"] is NSNull)
        let trend = try #require(funnel["trend"] as? [[String: Any]])
        #expect(trend.map { $0["state"] as? String } == Array(repeating: "settled", count: 6) + ["open"])
        #expect((trend[0]["steps"] as? [[String: Any]])?[1]["conversion_from_first_interval"] is [Double])
        // Less than 30 actors.
        #expect((trend[2]["steps"] as? [[String: Any]])?[1]["conversion_from_first_interval"] is NSNull)
        let comparison = try #require(funnel["comparison"] as? [String: Any])
        let compared = try #require(comparison["steps"] as? [[String: Any]])
        #expect(compared[0]["difference"] is NSNull && compared[0]["difference_interval"] is NSNull)
        #expect(compared[1]["difference"] as? Double == 0.0065)
        #expect(compared[1]["difference_interval"] as? [Double] == [-0.0084, 0.0213])
        #expect(Set(compared[1].keys) == ["count", "conversion_from_first", "difference", "difference_interval"])
    }

    @Test func `an empty funnel has nulls, a range its days, a short window a fraction`() throws {
        let funnel = try Funnel(name: "f", window: .milliseconds(1050), steps: [Step(name: "s", event: "e")])
        var result = ExampleReport.result(funnel, [0], nil, breakdown: [])
        result.from = Day("2026-11-01")
        result.to = Day("2026-11-30")
        let text = JSONReport.render(FunnelReport(funnels: [result], quality: Quality()))
        #expect(text.contains(#""window_seconds": 1.05,"#))
        #expect(text.contains("\"from\": \"2026-11-01\",\n   \"to\": \"2026-11-30\","))
        #expect(text.contains(#""conversion_from_first": null,"#))
        #expect(text.contains(#""breakdown": []"#))
    }

    @Test func `what the apps have dropped, and who is left out, stands there only where there are any`() {
        var quality = Quality(completeness: Completeness(expected: 9, missing: 3), unread: 7)
        let plain = JSONReport.render(FunnelReport(funnels: [], quality: quality))
        #expect(plain.hasSuffix("\"expected\": 9,\n  \"missing\": 3,\n  \"unread\": 7,\n  \"capped\": 0\n }\n}\n"))
        quality.completeness.dropped = [.expired: 1, .rejected: 2]
        quality.completeness.unchecked = 4
        let full = JSONReport.render(FunnelReport(funnels: [], quality: quality))
        let dropped = "\"dropped\": {\n   \"expired\": 1,\n   \"rejected\": 2\n  }"
        #expect(full.hasSuffix("\"unread\": 7,\n  \"capped\": 0,\n  \(dropped),\n  \"unchecked_installs\": 4\n }\n}\n"))
    }

    @Test func `offsets without a record in a compacted topic are said where there are any`() {
        let plain = FunnelReport(funnels: [], quality: Quality(events: 57, completeness: Completeness(expected: 57)))
        var gone = plain
        gone.quality.compacted = 143
        let line = "143 offsets without a record: the topic is compacted, which deletes events"
        #expect(JSONReport.render(gone).contains("\"compacted\": 143\n"))
        #expect(TableReport.render(gone, style: TableStyle()).contains(line))
        #expect(PageReport.render(gone).contains(line))
        for text in [
            JSONReport.render(plain), TableReport.render(plain, style: TableStyle()), PageReport.render(plain),
        ] {
            #expect(!text.contains("compacted") && !text.contains("without a record"))
        }
    }

    @Test func `a funnel that was rebuilt from a shortened topic says since when it is complete, others say nothing`()
        throws
    {
        let funnel = try ExampleReport.funnel("f", steps: ["s"])
        var result = ExampleReport.result(funnel, [1], nil)
        let report = FunnelReport(funnels: [result], quality: Quality())
        #expect(!JSONReport.render(report).contains("complete_from"))
        #expect(!TableReport.render(report, style: TableStyle(width: 72)).contains("complete"))
        result.completeFrom = Day("2026-11-05")
        let later = FunnelReport(funnels: [result], quality: Quality())
        #expect(JSONReport.render(later).contains("\"complete_from\": \"2026-11-05\",\n   \"settled_to\""))
        let table = TableReport.render(later, style: TableStyle(width: 72))
        #expect(table.contains("\ncomplete from 2026-11-05 on: the topic had lost earlier events\n"))
    }

    @Test func `values that are left out are counted only where there are any`() throws {
        let funnel = try ExampleReport.funnel("f", .sessions, by: "k", steps: ["s"])
        let part = BreakdownResult(value: "v", steps: ExampleReport.steps(["s"], [1], nil))
        var result = ExampleReport.result(funnel, [2], nil, breakdown: [part])
        let plain = FunnelReport(funnels: [result], quality: Quality())
        #expect(!JSONReport.render(plain).contains("values_left_out"))
        #expect(!TableReport.render(plain, style: TableStyle()).contains("left out"))
        result.valuesLeftOut = 299_000
        let report = FunnelReport(funnels: [result], quality: Quality())
        #expect(JSONReport.render(report).contains("\"values_left_out\": 299000,\n   \"breakdown\": ["))
        let table = TableReport.render(report, style: TableStyle())
        #expect(
            table.contains("\n\n299,000 more values left out: shown are the 1 with the most sessions at step 1\n\n")
        )
    }

    @Test func `texts are escaped as JSON asks, no more`() throws {
        let funnel = try ExampleReport.funnel("f", steps: ["\"\\\n\r\t\u{0}\u{1B}é🎉\u{7F}/"])
        let text = JSONReport.render(
            FunnelReport(funnels: [ExampleReport.result(funnel, [1], nil)], quality: Quality())
        )
        #expect(text.contains(#""name": "\"\\\n\r\t\u0000\u001bé🎉"# + "\u{7F}/\""))
    }

    @Test func `no funnels are an empty list`() {
        #expect(JSONReport.render(FunnelReport(funnels: [], quality: Quality())).hasPrefix("{\n \"funnels\": [],\n"))
    }

    @Test func `capped installs stand at the end of the quality counts`() {
        let text = JSONReport.render(FunnelReport(funnels: [], quality: Quality(capped: 3)))
        #expect(text.hasSuffix("  \"capped\": 3\n }\n}\n"))
    }
}
