import FlowTestSupport
import Foundation
import FunnelBrowserTestSupport
import Testing

@testable import Funnels

@testable import FunnelReports

/// The page in a real browser.
@Suite(
    .waits,
    .timeLimit(.minutes(5)),
    .enabled(
        if: BrowserTab.path != nil,
        "Chromium is not installed, so no browser has opened the page: run scripts/bootstrap --tests on Debian"
    )
)
struct PageBrowserTests {
    @Test func `nothing overflows at 360, 768 and 1600 pixels, nothing is asked for, and the console is silent`()
        async throws
    {
        let long = String(repeating: "Donaudampfschifffahrtsgesellschaft", count: 6)
        let lists = (0..<40).map { ["\($0 / 8) \(long)", "\($0) \(long.prefix($0))"] }
        let broken = [("plain", [6100, 402]), ("video", [3900, 430])]
        let reports = [
            try ExamplePage.report(values: ExamplePage.hostile + [long]), try ExampleReport.full(),
            try ExampleQuestions.report(), try ExampleQuestions.report(values: lists, variants: broken),
        ]
        for report in reports {
            let page = try PageFile(PageReport.render(report))
            let outcome = try await BrowserTab.with { tab in
                let measures = try [360, 768, 1600].map { width in
                    try tab.open(page.url, width: width)
                    return try tab.measures()
                }
                return (measures: measures, console: tab.console, requests: Set(tab.requests))
            }
            #expect(outcome.console == [])
            #expect(outcome.requests == [page.url.absoluteString])
            #expect(outcome.measures.map(\.width) == [360, 768, 1600])
            for measures in outcome.measures {
                // A scroll bar may take some of the width.
                #expect(measures.contentWidth <= measures.width && measures.contentWidth > measures.width - 20)
                #expect(measures.overflowing == [], "\(measures.width)")
                #expect(measures.scripts == 0 && measures.images == 0, "\(measures.width)")
                #expect(!measures.charts.isEmpty && !measures.charts.contains(""))
                #expect(measures.overlappingTexts == [], "\(measures.width)")
            }
        }
    }

    @Test func `on paper every table is open, and nothing is cut off`() async throws {
        var report = try ExampleReport.full()
        report.funnels[0].steps[0].excluded = 1234
        let page = try PageFile(PageReport.render(report))
        let (heights, width) = try await BrowserTab.with { tab in
            let heights: [[Double]] = try [false, true].map { isPrint in
                try tab.setPrint(isPrint)
                // A4 between its margins.
                try tab.open(page.url, width: 700)
                return try tab.value(
                    of: """
                        [...document.querySelectorAll('details')].map(
                          e => e.getBoundingClientRect().height - e.querySelector('summary').getBoundingClientRect().height
                        )
                        """
                )
            }
            let width: Double = try tab.value(of: "document.documentElement.scrollWidth")
            return (heights, width)
        }
        #expect(width <= 700)
        #expect(heights[0].count > 3 && heights[0].allSatisfy { $0 < 1 }, "\(heights[0])")
        #expect(heights[1].count == heights[0].count && heights[1].allSatisfy { $0 > 10 }, "\(heights[1])")
    }

    @Test func `hostile values are shown as the text that they are`() async throws {
        let page = try PageFile(PageReport.render(ExamplePage.report()))
        let shown = try await BrowserTab.with { tab in
            try tab.open(page.url, width: 768)
            return try tab.measures().values
        }
        for value in ExamplePage.hostile where !value.isEmpty && !value.contains("\u{202E}") {
            #expect(shown.contains(value), "\(value)")
        }
    }

    @Test func `texts have contrast in light and dark, and tables, charts and headings have names`() async throws {
        var report = try ExamplePage.report()
        report.funnels += try ExampleQuestions.report().funnels
        let page = try PageFile(PageReport.render(report))
        let outcome = try await BrowserTab.with { tab in
            let measures = try [false, true].map { isDark in
                try tab.setDark(isDark)
                try tab.open(page.url, width: 1200)
                return try tab.measures()
            }
            let names = try ["image", "region", "table"].map { try tab.accessibleNames(role: $0) }
            return (measures: measures, images: names[0], regions: names[1], tableCount: names[2].count)
        }
        for measures in outcome.measures {
            #expect(measures.faintTexts == [])
            #expect(measures.mistakes == [])
            // The accessibility tree has each chart's title, and its figures as a table.
            for title in measures.charts {
                // The description follows the title.
                #expect(outcome.images.contains { $0.hasPrefix(title) }, "\(title)")
            }
            #expect(Set(measures.tables).isSubset(of: outcome.regions), "\(outcome.regions)")
            #expect(outcome.tableCount >= measures.tables.count)
        }
    }

    @Test(.enabled(if: BrowserTab.axePath != nil, "axe-core is not there: scripts/test gets it from PyPI"))
    func `the rules of axe-core hold, also for several funnels`() async throws {
        var report = try ExamplePage.report(funnels: 2)
        report.funnels += try ExampleQuestions.report().funnels
        let page = try PageFile(PageReport.render(report))
        let violations = try await BrowserTab.with { tab in
            try [360, 1200].map { width in
                try tab.open(page.url, width: width)
                return try tab.axeViolations()
            }
        }
        #expect(violations == [[], []])
    }
}

/// A page as a file, which is removed with the value.
private final class PageFile: Sendable {
    let url: URL

    init(_ page: String) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString).html")
        try Data(page.utf8).write(to: url)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
