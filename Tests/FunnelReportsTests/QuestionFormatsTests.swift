import FlowEvents
import Foundation
import Testing

@testable import Funnels

@testable import FunnelReports

/// What people ask, in the formats of a report.
@Suite struct QuestionFormatsTests {
    private static func members(_ value: Any?) throws -> [String: Any] { try #require(value as? [String: Any]) }

    private static func items(_ value: Any?) throws -> [[String: Any]] { try #require(value as? [[String: Any]]) }

    private static func funnels() throws -> [[String: Any]] {
        let text = JSONReport.render(try ExampleQuestions.report())
        return try items(try members(JSONSerialization.jsonObject(with: Data(text.utf8)))["funnels"])
    }

    @Test func `the JSON has an optional step's ways, next places, lists and means`() throws {
        let funnel = try Self.funnels()[0]
        let steps = try Self.items(funnel["steps"])
        #expect(steps[1]["optional"] as? Bool == true && steps[0]["optional"] == nil)
        let ways = try Self.members(steps[1]["next_step"])
        let with = try Self.members(ways["with"])
        #expect(with["count"] as? Int == 260 && with["of"] as? Int == 420 && with["conversion"] as? Double == 0.619)
        #expect((with["interval"] as? [Double])?.count == 2)
        let next = try Self.items(steps[0]["next"])
        #expect(next.first?["value"] as? String == "profile" && next.first?["count"] as? Int == 210)
        #expect(steps[1]["next"] == nil && steps[3]["next"] == nil && steps[0]["next_left_out"] == nil)
        #expect(try Self.items(funnel["breakdown"]).first?["value"] as? [String] == ["home", "month"])
        let units = try Self.items(try Self.members(steps[3]["sums"])["units"])
        #expect(units[0]["per_actor"] as? Double == 1.2345)
        #expect((units[0]["per_actor_interval"] as? [Double]) == [0.9876, 1.4814])
    }

    @Test func `the JSON counts the places that it leaves out`() throws {
        var report = try ExampleQuestions.report()
        report.funnels[0].steps[0].next?.leftOutCount = 7
        #expect(JSONReport.render(report).contains("\"next_left_out\": 7"))
    }

    @Test func `the JSON has an experiment whose control has no lift`() throws {
        let experiment = try Self.members(try Self.funnels()[1]["experiment"])
        #expect(experiment["from"] as? String == "2026-11-02" && experiment["to"] as? String == "2026-11-15")
        #expect(experiment["control"] as? String == "plain" && experiment["crossed"] as? Int == 3)
        let ratio = try Self.members(experiment["sample_ratio"])
        #expect(ratio["p"] as? Double == 0.6547 && ratio["mismatch"] as? Bool == false)
        let variants = try Self.items(experiment["variants"])
        #expect(variants.map { $0["value"] as? String } == ["plain", "video"])
        let control = try Self.items(variants[0]["steps"])
        #expect(control.allSatisfy { Set($0.keys) == ["name", "count", "conversion_from_first"] })
        let keys: Set = [
            "name", "count", "conversion_from_first", "lift", "lift_interval", "relative_lift",
            "relative_lift_interval",
            "p", "sequential_interval",
        ]
        let video = try Self.items(variants[1]["steps"])
        #expect(video.allSatisfy { Set($0.keys) == keys } && video[0]["lift"] is NSNull)
        #expect(video[1]["lift"] as? Double == 0.008 && video[1]["relative_lift"] as? Double == 0.0804)
        let sums = try Self.items(variants[1]["sums"])
        #expect(sums[0]["per_actor"] as? Double == 0.539121 && sums[0]["difference"] as? Double == 0.040121)
        #expect((sums[0]["difference_interval"] as? [Double])?.count == 2)
        #expect(Set(try Self.items(variants[0]["sums"])[0].keys) == ["step", "unit", "per_actor"])
    }

    @Test(
        arguments: [
            (0, "0.0"), (1.5, "1.5"), (-0.000001, "-0.000001"), (12_345_678.9, "12345678.9"), (1e10, "10000000000.0"),
            (1e17, "100000000000000000.0"),
        ] as [(Double, String)]
    )
    func `a mean is a plain number of at most six decimals`(value: Double, text: String) {
        var output = ""
        JSONNode.decimal(value).write(to: &output)
        #expect(output == text)
    }

    @Test func `the CSV has a list as JSON text`() throws {
        let rows = CSVReport.render(try ExampleQuestions.report()).split(separator: "\n")
        #expect(rows.contains { $0.hasPrefix(#"home-to-purchase,"[""home"",""month""]",1,home,520,"#) })
    }

    @Test func `the table has them all within 100 columns`() throws {
        let long = String(repeating: "l", count: 60)
        let report = try ExampleQuestions.report(
            values: [["home", "year"], [long, long]],
            variants: [("plain", [4020, 402]), (long, [3980, 430]), ("video", [3980, 430])]
        )
        let text = TableReport.render(report, style: TableStyle(width: 100))
        let lines = text.split(separator: "\n").map(String.init)
        // A word cannot be broken.
        #expect(lines.allSatisfy { $0.contains(long) || TerminalText.width($0) <= 100 })
        let expected = [
            " ~  tour           420  ",
            "~ tour: with it 61.9% went on, without it 58.6%: too close to tell",
            "the 450 that came no further than paywall went to: home 300, (nothing) 149, (empty) 1",
            "sum at purchase: 1,234.50 EUR from 120, 1.23 per install (95% interval 0.99 to 1.48); 450.00 JPY",
            "paywall_source: home, properties.plan of purchase: year",
            "3 installs were under more than one variant and count in each",
            "plain: 0.50 EUR at purchase per install",
        ]
        for start in expected { #expect(lines.contains { $0.hasPrefix(start) }, "\(start)") }
    }

    @Test func `the page groups values by their first part, and says what a test of variants says`() throws {
        let page = PageReport.render(try ExampleQuestions.report())
        #expect(page.components(separatedBy: "<tr class=\"group\">").count == 3)
        #expect(page.contains("<bdi>tour</bdi> <small>optional</small>"))
        #expect(page.contains("with it 61.9% went on, without it 58.6%: too close to tell"))
        #expect(page.contains("video: between 1.3 points worse and 2.9 points better than plain; not decided"))
        #expect(page.contains("Over settled days from 2026-11-02 to 2026-11-15"))
        #expect(page.contains("looking each day is allowed"))
    }

    @Test func `a variant's name is text on the page, not markup`() throws {
        let hostile = "<b onclick=alert(1)>"
        let page = PageReport.render(
            try ExampleQuestions.report(
                values: [[hostile, hostile]],
                variants: [("plain", [4020, 402]), (hostile, [3980, 430])]
            )
        )
        #expect(!page.contains("<b onclick"))
    }
}
