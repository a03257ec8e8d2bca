import FlowTestSupport
import Foundation
import FunnelBrowserTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Testing

@testable import FunnelReportServer

/// The pages of a server in a real browser.
@Suite(
    .waits,
    .timeLimit(.minutes(5)),
    .enabled(
        if: BrowserTab.path != nil,
        "Chromium is not installed, so no browser has opened the pages: run scripts/bootstrap --tests on Debian"
    )
)
struct ServedPageBrowserTests {
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a&lt;b&amp;c", "\u{202E}evil\u{202C}", "]]>",
        String(repeating: "Donaudampfschiff", count: 12),
    ]
    private static let paths = ["/", "/funnels/first", "/funnels/first?last=7d&by=week&compare"]

    @Test func `nothing overflows, nothing is asked for elsewhere, and the console is silent`() async throws {
        var filled = try FilledStore()
        try filled.commit([(0, 19, 50, 20)], values: Self.hostile)
        try await RunningServer.with(filled.opening) { server in
            let urls = try Self.paths.map { try server.url($0) }
            let known = Set(try (Self.paths + ["/refresh.js"]).map { try server.url($0).absoluteString })
            let outcome = try await BrowserTab.with { tab in
                var measures: [PageMeasures] = []
                for url in urls {
                    for width in [360, 768, 1600] {
                        try tab.setDark(width == 768)
                        try tab.open(url, width: width)
                        measures.append(try tab.measures())
                    }
                }
                return (measures: measures, console: tab.console, requests: Set(tab.requests))
            }
            #expect(outcome.console == [])
            #expect(outcome.requests == known)
            for measures in outcome.measures {
                #expect(measures.contentWidth <= measures.width && measures.contentWidth > measures.width - 20)
                #expect(measures.overflowing == [], "\(measures.width)")
                #expect(measures.overlappingTexts == [], "\(measures.width)")
                #expect(measures.faintTexts == [])
                #expect(measures.mistakes == [])
                #expect(measures.scripts == 1 && measures.images == 0)
                #expect(!measures.charts.isEmpty && !measures.charts.contains(""))
            }
            #expect(outcome.measures.contains { $0.values.contains(Self.hostile[0]) })
        }
    }

    @Test(.enabled(if: BrowserTab.axePath != nil, "axe-core is not there: scripts/test gets it from PyPI"))
    func `the rules of axe-core hold`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let urls = try Self.paths.map { try server.url($0) }
            let violations = try await BrowserTab.with { tab in
                try urls.flatMap { url in
                    try tab.open(url, width: 1200)
                    return try tab.axeViolations()
                }
            }
            #expect(violations == [])
        }
    }

    @Test func `a page shows the figures of the JSON that it links to`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let page = try server.url("/funnels/first?from=2026-11-20&to=2026-11-26&by=day")
            let shown = try await BrowserTab.with { tab in
                try tab.open(page, width: 1200)
                // Follows the link as a reader does.
                let json: String = try tab.value(
                    of: "fetch([...document.links].find(a => a.textContent === 'JSON').href).then(a => a.text())"
                )
                let rows: [[String]] = try tab.value(
                    of: "[...document.querySelectorAll('tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
                )
                return (json: json, rows: rows)
            }
            let root = try JSONSerialization.jsonObject(with: Data(shown.json.utf8)) as? [String: Any]
            let funnel = try #require((root?["funnels"] as? [[String: Any]])?.first)
            let trend = try #require(funnel["trend"] as? [[String: Any]])
            #expect(trend.count == 7)
            for bucket in trend {
                let counts = try #require(bucket["steps"] as? [[String: Any]]).compactMap { $0["count"] as? Int }
                let row = try #require(shown.rows.first { $0.first == bucket["from"] as? String })
                #expect(row.contains("\(counts[0])") && row.contains("\(counts[1])"), "\(row)")
                #expect(row.last == bucket["state"] as? String)
            }
        }
    }

    @Test func `a page follows the store, keeps what is opened, and says when it cannot`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let url = try server.url("/funnels/first")
            let (path, elsewhere) = (filled.path, filled.directory.file("elsewhere"))
            let texts = try await BrowserTab.with { tab in
                var filled = filled
                try tab.open(url, width: 1200)
                try tab.run("document.querySelector('main details').open = true")
                // What the page does every five seconds.
                func refreshed(_ text: String) throws -> String {
                    try tab.value(
                        of: """
                            (async () => {
                              for (let tries = 0; tries < 1200; tries++) {
                                document.dispatchEvent(new Event("visibilitychange"))
                                await new Promise(done => setTimeout(done, 50))
                                if (document.body.innerText.includes(\(text))) break
                              }
                              return document.body.innerText
                            })()
                            """
                    )
                }
                let requests: Int = try tab.value(
                    of: """
                        (async () => {
                          const fetch = window.fetch
                          let count = 0
                          window.fetch = (...request) => { count += 1; return fetch(...request) }
                          for (let tries = 0; tries < 5; tries++) document.dispatchEvent(new Event("visibilitychange"))
                          window.fetch = fetch
                          return count
                        })()
                        """
                )
                try filled.commit([(0, 19, 50, 50)])
                let changed = try refreshed("'2,050'")
                let isOpen: Bool = try tab.value(of: "document.querySelector('main details').open")
                try filled.store.close()
                try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
                let lost = try refreshed("'Not up to date'")
                try FileManager.default.moveItem(atPath: elsewhere, toPath: path)
                let back: Bool = try tab.value(
                    of: """
                        (async () => {
                          const note = document.querySelector('[role=status]')
                          for (let tries = 0; tries < 1200 && note.textContent; tries++) {
                            document.dispatchEvent(new Event("visibilitychange"))
                            await new Promise(done => setTimeout(done, 50))
                          }
                          return note.textContent === ''
                        })()
                        """
                )
                return (requests: requests, changed: changed, isOpen: isOpen, lost: lost, back: back)
            }
            #expect(texts.requests <= 1)
            #expect(texts.changed.contains("2,050"))
            #expect(texts.isOpen)
            #expect(texts.lost.contains("Not up to date") && texts.lost.contains("funnels.sqlite"))
            #expect(texts.back)
        }
    }

    @Test func `the form leads to a link with what was chosen`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let url = try server.url("/funnels/first?from=2026-11-20&to=2026-11-26")
            let shown = try await BrowserTab.with { tab in
                try tab.open(url, width: 1200)
                try tab.waitForPage {
                    try tab.run(
                        """
                        const form = document.querySelector('form')
                        form.last.value = '14d'
                        form.last.dispatchEvent(new Event('change', { bubbles: true }))
                        form.by.value = 'week'
                        form.compare.checked = true
                        form.querySelector('button').click()
                        """
                    )
                }
                let query: String = try tab.value(of: "location.search")
                let text: String = try tab.value(of: "document.body.innerText")
                return (query: query, text: text, console: tab.console)
            }
            #expect(shown.query == "?last=14d&by=week&compare=1")
            #expect(shown.text.contains("Compared with") && shown.console == [])
        }
    }
}
