import FlowTestSupport
import Foundation
import Funnels
import Testing

@testable import FunnelReports

/// The page in a real browser.
@Suite(
    .waits,
    .timeLimit(.minutes(5)),
    .enabled(
        if: Browser.path != nil,
        "Chromium is not installed, so no browser has opened the page: run scripts/bootstrap --tests on Debian"
    )
)
struct PageBrowserTests {
    @Test func `nothing overflows at 360, 768 and 1600 pixels, nothing is asked for, and the console is silent`() throws
    {
        let long = String(repeating: "Donaudampfschifffahrtsgesellschaft", count: 6)
        for report in [try ExamplePage.report(values: ExamplePage.hostile + [long]), try ExampleReport.full()] {
            let outcome = try Browser.open(PageReport.render(report), widths: [360, 768, 1600])
            #expect(outcome.console == [])
            #expect(outcome.results.map(\.width) == [360, 768, 1600])
            for result in outcome.results {
                // A scroll bar may take some of the width.
                #expect(result.contentWidth <= result.width && result.contentWidth > result.width - 20)
                #expect(result.overflowing == [], "\(result.width)")
                #expect(result.requests == 0 && result.scripts == 0 && result.images == 0, "\(result.width)")
                #expect(result.unnamedCharts == 0 && result.charts > 0)
                #expect(result.overlappingTexts == [], "\(result.width)")
            }
        }
    }

    @Test func `hostile values are shown as the text that they are`() throws {
        let report = try ExamplePage.report()
        let outcome = try Browser.open(PageReport.render(report), widths: [768])
        let shown = try #require(outcome.results.first).values
        for value in ExamplePage.hostile where !value.isEmpty && !value.contains("\u{202E}") {
            #expect(shown.contains(value), "\(value)")
        }
    }
}

/// Headless Chromium.
private enum Browser {
    static let path = [
        "/usr/bin/chromium", "/usr/bin/google-chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    struct Result: Decodable {
        let width: Int
        let contentWidth: Int
        let overflowing: [String]
        let overlappingTexts: [String]
        let requests: Int
        let scripts: Int
        let images: Int
        let charts: Int
        let unnamedCharts: Int
        let values: [String]
    }

    struct Outcome {
        var results: [Result]
        var console: [String]
    }

    /// Opens a page in frames of some widths, and returns what another page measures of it.
    static func open(_ page: String, widths: [Int]) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(page.utf8).write(to: folder.appending(path: "page.html"))
        let frames = widths.map {
            "<iframe src=\"page.html\" width=\"\($0)\" height=\"900\" style=\"border:0\"></iframe>"
        }
        let measure = "<!doctype html><meta charset=utf-8><body>\(frames.joined())<script>\(script)</script>"
        try Data(measure.utf8).write(to: folder.appending(path: "measure.html"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path))
        process.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--allow-file-access-from-files", "--enable-logging=stderr",
            "--user-data-dir=\(folder.appending(path: "profile").path)", "--window-size=1700,1000",
            "--virtual-time-budget=20000", "--dump-dom", folder.appending(path: "measure.html").absoluteString,
        ]
        let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
        for file in [output, errors] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        let document = try String(contentsOf: output, encoding: .utf8)
        let match = try #require(
            document.firstMatch(of: /<pre id="result">([A-Za-z0-9+\/=]+)<\/pre>/),
            "\(document.suffix(500))"
        )
        let data = try #require(Data(base64Encoded: String(match.output.1)))
        let log = try String(decoding: Data(contentsOf: errors), as: UTF8.self)
        return Outcome(
            results: try JSONDecoder().decode([Result].self, from: data),
            console: log.split(separator: "\n").filter { $0.contains("CONSOLE") }.map(String.init)
        )
    }

    // Elements in a box that scrolls by itself may be wider than the page.
    private static let script = """
        addEventListener('load', () => {
          const results = [...document.querySelectorAll('iframe')].map(frame => {
            const page = frame.contentDocument, width = frame.clientWidth
            page.querySelectorAll('details').forEach(details => details.open = true)
            const shown = [...page.body.querySelectorAll('*')].filter(e => e.getClientRects().length)
            const overflowing = shown.filter(e => !e.closest('.scroll') && !e.closest('defs'))
              .filter(e => { const r = e.getBoundingClientRect(); return r.right > width + 1 || r.left < -1 })
              .map(e => e.tagName + '.' + (e.getAttribute('class') || '') + ' ' + e.textContent.slice(0, 40))
            const overlapping = []
            for (const chart of page.querySelectorAll('svg[role=img]')) {
              const texts = [...chart.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()])
              texts.forEach(([a, r], i) => texts.slice(i + 1).forEach(([b, s]) => {
                if (r.left < s.right && s.left < r.right && r.top < s.bottom - 2 && s.top < r.bottom - 2)
                  overlapping.push(a + ' | ' + b)
              }))
            }
            const charts = [...page.querySelectorAll('svg[role=img]')]
            return {
              width, contentWidth: page.documentElement.scrollWidth, overflowing, overlappingTexts: overlapping,
              requests: frame.contentWindow.performance.getEntriesByType('resource').length,
              scripts: page.scripts.length, images: page.images.length, charts: charts.length,
              unnamedCharts: charts.filter(c => !c.getAttribute('aria-label') && !c.querySelector('title')).length,
              values: [...page.querySelectorAll('tbody th')].map(e => e.textContent)
            }
          })
          const bytes = new TextEncoder().encode(JSON.stringify(results))
          const result = document.createElement('pre')
          result.id = 'result'
          result.textContent = btoa(String.fromCharCode(...bytes))
          document.body.append(result)
        })
        """
}
