import FlowEvents
import FunnelReports
import Funnels
import Testing

@Suite struct JSONReportTests {
    @Test func `the report of the examples is written as it stands there`() throws {
        let text = JSONReport.render(try ExampleReport.make())
        #expect(text == (try ExampleReport.fixture("report.json")) + "\n")
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
        quality.completeness.dropped = DropCounts(expired: 1, rejected: 2)
        quality.completeness.unchecked = 4
        let full = JSONReport.render(FunnelReport(funnels: [], quality: quality))
        let dropped = "\"dropped\": {\n   \"expired\": 1,\n   \"rejected\": 2\n  }"
        #expect(full.hasSuffix("\"unread\": 7,\n  \"capped\": 0,\n  \(dropped),\n  \"unchecked_installs\": 4\n }\n}\n"))
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
        #expect(JSONReport.render(later).contains("\"complete_from\": \"2026-11-05\",\n   \"steps\""))
        let table = TableReport.render(later, style: TableStyle(width: 72))
        #expect(table.contains("\ncomplete from 2026-11-05 on: the topic had lost earlier events\n"))
    }

    @Test func `values that are left out are counted only where there are any`() throws {
        let funnel = try ExampleReport.funnel("f", .sessions, by: .data("k"), steps: ["s"])
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
