import FlowEvents
import FlowTestSupport
import Foundation
import FunnelBrowserTestSupport
import Testing

/// The page of live events in a real browser.
@Suite(
    .waits,
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(
        if: BrowserTab.path != nil,
        "Chromium is not installed, so no browser has opened the page: run scripts/bootstrap --tests on Debian"
    )
)
struct DevPageBrowserTests {
    private static let hostile = [
        "<script>document.title = 'evil'</script>", "\"><img src=x onerror=\"document.title = 'evil'\">",
        "a&lt;b&amp;c", "\u{202E}evil\u{202C}", String(repeating: "Donaudampfschiff", count: 12),
    ]
    private static let rowCount = "document.querySelectorAll('#events > li').length"

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Waits in the page until an expression is true; the time that it took, in milliseconds.
    private static func wait(_ tab: BrowserTab, _ condition: String) throws -> Double {
        try tab.value(
            of: """
                new Promise((done) => {
                  const start = performance.now();
                  const look = () => (\(condition)) ? done(performance.now() - start) : setTimeout(look, 10);
                  look();
                })
                """
        )
    }

    private static func post(_ tab: BrowserTab, _ events: [Event]) throws {
        let bodies = try events.map { String(decoding: try $0.encoded(), as: UTF8.self) }
        let body = try JSONEncoder().encode("[\(bodies.joined(separator: ","))]")
        let status: Int = try tab.value(
            of: """
                fetch('v1/events', {method: 'POST', body: \(String(decoding: body, as: UTF8.self)), headers: \
                {'Content-Type': 'application/cloudevents-batch+json', 'Authorization': 'Bearer x'}}).then(a => a.status)
                """
        )
        try #require(status == 200)
    }

    @Test func `an event is seen at once, its values stay text, and the funnels fill`() async throws {
        let server = try await DevProcess.start(in: directory)
        let url = try #require(URL(string: "\(server.client.address)/live"))
        let outcome = try await BrowserTab.with { tab in
            try tab.open(url, width: 1200)
            try Self.post(tab, [DevProcess.event(0, screen: "home")])
            let time = try Self.wait(tab, "\(Self.rowCount) === 1")
            let texts = Self.hostile.enumerated().map { index, text in
                DevProcess.event(Int64(index + 1), type: text, screen: text, properties: ["p": .string(text)])
            }
            try Self.post(tab, texts)
            _ = try Self.wait(tab, "\(Self.rowCount) === \(1 + Self.hostile.count)")
            _ = try Self.wait(tab, "document.querySelector('#steps b')?.textContent === '1'")
            try tab.run("for (const row of document.querySelectorAll('#events details')) row.open = true")
            let shown: [String] = try tab.value(
                of: "[...document.querySelectorAll('#events .what b')].map(b => b.textContent)"
            )
            var measures: [PageMeasures] = []
            for width in [360, 768, 1600] {
                try tab.setDark(width == 768)
                try tab.open(url, width: width)
                measures.append(try tab.measures())
            }
            let title: String = try tab.value(of: "document.title")
            return (time: time, shown: shown, measures: measures, title: title, console: tab.console)
        }
        #expect(outcome.time < 60_000)
        #expect(outcome.shown.last == "screen_view" && outcome.shown.contains(Self.hostile[0]))
        #expect(outcome.title == "Live events")
        #expect(outcome.console == [])
        for measures in outcome.measures {
            #expect(measures.contentWidth <= measures.width, "\(measures.width)")
            #expect(measures.overflowing == [], "\(measures.width)")
            #expect(measures.overlappingTexts == [], "\(measures.width)")
            #expect(measures.faintTexts == [])
            #expect(measures.mistakes == [])
            #expect(measures.images == 0)
        }
    }

    @Test func `the page can be held, filtered, and read without script`() async throws {
        let server = try await DevProcess.start(in: directory)
        let url = try #require(URL(string: "\(server.client.address)/live"))
        try await BrowserTab.with { tab in
            try tab.open(url, width: 900)
            try tab.run("document.querySelector('#pause').click()")
            try Self.post(
                tab,
                [DevProcess.event(0, screen: "home"), DevProcess.event(0, install: "other", type: "tap")]
            )
            // What came meanwhile is there when it goes on.
            try tab.run("document.querySelector('#pause').click()")
            _ = try Self.wait(tab, "\(Self.rowCount) === 2")
            try tab.waitForPage { try tab.run("document.querySelector('.install[title=other]').click()") }
            #expect(try tab.value(of: Self.rowCount, as: Int.self) == 1)
            try Self.post(
                tab,
                [DevProcess.event(1, screen: "home"), DevProcess.event(1, install: "other", type: "tap")]
            )
            _ = try Self.wait(tab, "\(Self.rowCount) === 2")
            try tab.waitForPage {
                try tab.run(
                    "document.querySelector('[name=wrong]').checked = true; document.querySelector('form button').click()"
                )
            }
            #expect(try tab.value(of: "location.search", as: String.self) == "?install=other&wrong=1")
            #expect(try tab.value(of: Self.rowCount, as: Int.self) == 0)
        }
        #expect(try await server.live().contains("http-equiv=\"refresh\""))
    }

    @Test func `thousands of events leave the newest on the page`() async throws {
        let server = try await DevProcess.start(in: directory)
        let url = try #require(URL(string: "\(server.client.address)/live"))
        try await BrowserTab.with { tab in
            try tab.open(url, width: 900)
            for batch in 0..<20 {
                try Self.post(
                    tab,
                    (0..<500).map { DevProcess.event(Int64(500 * batch + $0), type: "e\(500 * batch + $0)") }
                )
            }
            _ = try Self.wait(tab, "document.querySelector('#events .what b')?.textContent === 'e9999'")
            #expect(try tab.value(of: Self.rowCount, as: Int.self) <= 500)
            _ = try Self.wait(tab, "document.querySelector('#state').textContent.startsWith('10000 events')")
        }
    }

    @Test(.enabled(if: BrowserTab.axePath != nil, "axe-core is not there: scripts/test gets it from PyPI"))
    func `the rules of axe-core hold`() async throws {
        let server = try await DevProcess.start(in: directory)
        try await server.post([
            DevProcess.event(0, screen: "home"), DevProcess.event(2, screen: "paywall"),
            DevProcess.event(3, type: "tap"),
        ])
        try await server.shows("3 events since the start")
        let url = try #require(URL(string: "\(server.client.address)/live"))
        let violations = try await BrowserTab.with { tab in
            try tab.open(url, width: 1200)
            return try tab.axeViolations()
        }
        #expect(violations == [])
    }
}
