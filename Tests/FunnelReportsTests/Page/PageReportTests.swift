import FlowEvents
import Foundation
import Testing

@testable import Funnels

@testable import FunnelReports

@Suite struct PageReportTests {
    @Test func `the figures of the page are those of the JSON`() throws {
        let report = try ExampleReport.full()
        let html = PageReport.render(report)
        let document = try JSONSerialization.jsonObject(with: Data(JSONReport.render(report).utf8))
        let funnel = try #require(((document as? [String: Any])?["funnels"] as? [[String: Any]])?.first)
        func cells(_ header: String, _ cells: [String]) -> String {
            "<tr><th scope=\"row\">\(header)</th>" + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
        }
        let trend = try #require(funnel["trend"] as? [[String: Any]])
        #expect(trend.count == 7)
        for bucket in trend {
            let steps = try #require(bucket["steps"] as? [[String: Any]])
            let counts = steps.compactMap { $0["count"] as? Int }
            let row = cells(
                try #require(bucket["from"] as? String),
                [
                    "\(counts[0])", "\(counts[1])", Self.percent(counts[1], of: counts[0]),
                    Self.interval(steps[1]["conversion_from_first_interval"]), try #require(bucket["state"] as? String),
                ]
            )
            #expect(html.contains(row), "\(row)")
        }
        let steps = try #require(funnel["steps"] as? [[String: Any]])
        let interval = Self.interval(steps[1]["conversion_from_first_interval"])
        #expect(
            html.contains(
                cells(
                    "<bdi>purchase</bdi>",
                    [
                        "547", "13.5%", interval, "13.5%", interval, "4.0s", "4.0s", "500", "12.8%", "+0.6",
                        "-0.8 to +2.1",
                    ]
                )
            )
        )
        let times = try #require((steps[1]["times"] as? [String: [String: Any]])?["from_first"])
        let histogram = try #require(times["histogram"] as? [[String: Any]])
        for (index, words) in ["0 to 1s", "1s to 2s", "2s to 5s", "5s to 10s", "10s to 30s", "30s to 1m"].enumerated() {
            #expect(html.contains(cells(words, ["\(histogram[index]["count"] as? Int ?? -1)"])), "\(words)")
        }
        for part in try #require(funnel["breakdown"] as? [[String: Any]]) {
            let counts = try #require(part["steps"] as? [[String: Any]]).compactMap { $0["count"] as? Int }
            let value = try #require(part["value"] as? String)
            #expect(
                html.contains(
                    "<tr><th scope=\"row\"><bdi>\(value)</bdi></th><td>\(counts[0])</td><td>\(counts[1])</td>"
                )
            )
        }
    }

    private static func percent(_ count: Int, of total: Int) -> String {
        total == 0 ? "–" : String(format: "%.1f%%", Double(count) / Double(total) * 100)
    }

    private static func interval(_ value: Any?) -> String {
        guard let bounds = value as? [Double] else { return "–" }
        let texts = bounds.map { String(format: "%.1f%%", ($0 * 1000).rounded(.toNearestOrAwayFromZero) / 10) }
        return texts.joined(separator: " to ")
    }

    @Test func `a page has its parts in order`() throws {
        let html = PageReport.render(try ExampleReport.full())
        let parts = [
            "<h2", "Of <b>4,061</b> sessions that reached <b><bdi>paywall</bdi></b>, <strong>13.5%</strong>",
            "entered 14 Nov to 20 Nov 2026, UTC", "settled to 19 Nov 2026", "final to 5 Nov 2026", "✓ no event missing",
            "Compared with 7 Nov to 13 Nov 2026", "<b>+0.6 percentage points</b>", "no clear change",
            "class=\"steps\"", "3,514 left here (86.5%)", "How many reach", "url(#hatch)", "How long it takes",
            "half within 4.0s, nine in ten within 25s", "By <b><bdi>paywall_source</bdi>", "What exactly is counted",
            "The data", "<dd>539</dd>",
        ]
        var rest = html[...]
        for part in parts {
            let found = rest.range(of: part)
            #expect(found != nil, "\(part)")
            if let found { rest = rest[found.upperBound...] }
        }
    }

    @Test func `records that were not read are no missing events`() throws {
        var report = try ExampleReport.full()
        report.quality.completeness.missing = 0
        report.quality.unread = 3
        let html = PageReport.render(report)
        #expect(html.contains("3 records not read") && !html.contains("0 events missing"))
        #expect(!html.contains("no event missing"))
    }

    @Test func `a page says in words what is counted, with each key of the definition`() throws {
        let report = try ExampleReport.full()
        let html = PageReport.render(report)
        for line in report.funnels[0].funnel.explanation.split(separator: "\n") {
            let markup: Markup = "\(String(line.drop { $0 == " " }))"
            #expect(html.contains(markup.html), "\(line)")
        }
    }

    @Test func `what comes from phones is text and never markup`() throws {
        var report = try ExamplePage.report()
        report.funnels[0].steps[1].name = "<b onclick=x>"
        let html = PageReport.render(report)
        let body = try #require(html.range(of: "<body>")).lowerBound
        for markup in ["<script", "<img", "<svg onload", "</td></table>", "<home>", "plat<form", "<b onclick"] {
            #expect(!html[body...].contains(markup), "\(markup)")
        }
        #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(html.contains("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"))
        #expect(html.contains("a&amp;lt;b&amp;amp;c"))
        #expect(html.contains(#"<bdi>\u{202E}evil\u{202C}</bdi>"#) && !html.unicodeScalars.contains("\u{202E}"))
        #expect(html.contains("<bdi>\u{5E9}\u{5DC}\u{5D5}\u{5DD}</bdi>") && html.contains("<i>(empty)</i>"))
    }

    @Test func `a page asks nobody for anything, and runs nothing`() throws {
        let html = PageReport.render(try ExamplePage.report(funnels: 2))
        let policy = "content=\"default-src 'none'; style-src 'unsafe-inline'\""
        #expect(html.contains("http-equiv=\"Content-Security-Policy\" \(policy)"))
        for word in ["<script", "<link", "<img", "<iframe", "@import", "@font-face", "http:", "https:", " src=\""] {
            #expect(!html.replacing(ExamplePage.hostile[1], with: "").contains(word), "\(word)")
        }
        #expect(html.components(separatedBy: "url(").count == html.components(separatedBy: "url(#hatch)").count)
    }

    @Test func `every element is closed, no id is there twice, and every chart has a title and a table`() throws {
        let html = PageReport.render(try ExamplePage.report(funnels: 3))
        var open: [Substring] = []
        for tag in html.matches(of: /<(\/?)([a-z0-9]+)((?:[^>"]|"[^"]*")*?)(\/?)>/) {
            let (_, slash, name, _, end) = tag.output
            if ["meta"].contains(name) || !end.isEmpty { continue }
            if slash.isEmpty { open.append(name) } else { #expect(open.popLast() == name) }
        }
        #expect(open.isEmpty)
        let ids = html.matches(of: #/ id="([^"]*)"/#).map(\.output.1)
        #expect(Set(ids).count == ids.count)
        for reference in html.matches(of: /aria-labelledby="([^"]*)"/).flatMap({ $0.output.1.split(separator: " ") }) {
            #expect(ids.contains(reference), "\(reference)")
        }
        let figures = html.components(separatedBy: "<figure").dropFirst()
        #expect(figures.count == 12)
        for figure in figures {
            #expect(figure.contains("<figcaption") && figure.contains("<table>"))
        }
    }

    @Test func `ten funnels and 90 days are well under 500 kB`() throws {
        let values = (0..<10).map { "value-\($0)" }
        let size = PageReport.render(try ExamplePage.report(funnels: 10, values: values)).utf8.count
        #expect(size < 450_000, "\(size) bytes")
    }

    @Test func `only the values with the most actors are on a page`() throws {
        let values = (0..<1000).map { "value-\($0)" }
        var report = try ExamplePage.report(values: values)
        report.funnels[0].valuesLeftOut = 5
        let html = PageReport.render(report)
        #expect(html.contains("value-49<") && !html.contains("value-50<"))
        #expect(html.contains("955 more values with fewer sessions at step 1 are not shown."))
    }

    @Test func `a funnel that nobody entered, or with one step, or without days, has a page`() throws {
        let one = try ExampleReport.funnel("one", steps: ["a"])
        let none = try ExampleReport.funnel("none", steps: ["a", "b"])
        var single = ExampleReport.result(one, [9], nil)
        let day = try #require(Day("2026-11-14"))
        single.trend = [3, 6].enumerated().map { index, count in
            let day = Day(number: day.number + Int32(index))
            return TrendBucket(from: day, to: day, state: .open, steps: ExampleReport.steps(["a"], [count], nil))
        }
        let results = [single, ExampleReport.result(none, [0, 0], nil)]
        let html = PageReport.render(FunnelReport(funnels: results, quality: Quality()))
        #expect(html.contains("<strong>9</strong> installs reached <b><bdi>a</bdi></b>."))
        #expect(html.contains("No installs reached <b><bdi>a</bdi></b> on these days."))
        #expect(html.contains("what is missing is not known"))
        #expect(PageReport.render(FunnelReport(funnels: [], quality: Quality())).contains("The data"))
    }
}

@Suite struct ChartTests {
    @Test(arguments: [(0.13, 0.15), (0.181, 0.2), (0.9, 1), (1, 1), (0.004, 0.004), (37, 40), (0, 1e-9)])
    func `a scale reaches the value and has few round steps`(value: Double, top: Double) {
        let scale = ChartScale(reaching: value)
        #expect(scale.top >= value * 0.9999 && abs(scale.top - top) < top * 0.35, "\(scale.top)")
        #expect((2...6).contains(scale.ticks.count), "\(scale.ticks)")
    }

    @Test func `a number has at most two decimals`() {
        #expect(
            [0, 1, 0.5, 12.345, -0.05, 99.999, 3.1].map(Chart.number) == [
                "0", "1", "0.5", "12.35", "-0.05", "100", "3.1",
            ]
        )
    }
}
