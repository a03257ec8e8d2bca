import FlowEventTestSupport
import FlowEvents
import Foundation
import Testing

@testable import LiveEvents

struct EventsPageTests {
    private let arrival = Timestamp(milliseconds: 1_795_170_930_000)

    @Test func `JSON is broken into lines, and nothing else changes`() {
        #expect(
            JSONIndentation.lines(Array(#"{"a":[1,{"b":"x, {y}: \" z"}],"c":{},"d":[ ]}"#.utf8)) == """
                {
                  "a": [
                    1,
                    {
                      "b": "x, {y}: \\" z"
                    }
                  ],
                  "c": {},
                  "d": []
                }
                """
        )
        #expect(JSONIndentation.lines(Array(#"{"n":1.10,"n":738529527931269425"#.utf8)).contains("1.10"))
        #expect(JSONIndentation.lines([]) == "")
        #expect(JSONIndentation.lines(Array("}}]".utf8)).filter { !$0.isWhitespace } == "}}]")
    }

    @Test(arguments: Seeds.upTo(200))
    func `the tokens of any JSON stay as they are`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = Self.random(depth: 4, using: &generator)
        let compact = try JSONSerialization.data(withJSONObject: [value], options: [.sortedKeys])
        let lines = JSONIndentation.lines(Array(compact))
        let again = try JSONSerialization.jsonObject(with: Data(lines.utf8))
        #expect(try JSONSerialization.data(withJSONObject: again, options: [.sortedKeys]) == compact, "\(lines)")
    }

    private static func random(depth: Int, using generator: inout some RandomNumberGenerator) -> Any {
        switch Int.random(in: depth > 0 ? 0...4 : 2...4, using: &generator) {
        case 0: (0..<Int.random(in: 0...3, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) }
        case 1:
            Dictionary(
                uniqueKeysWithValues: (0..<Int.random(in: 0...3, using: &generator)).map {
                    ("k\($0) \"{", random(depth: depth - 1, using: &generator))
                }
            )
        case 2: "\\ \" , : [ ] { } ü\n" as Any
        case 3: Int.random(in: -9...9, using: &generator)
        default: Bool.random(using: &generator)
        }
    }

    @Test func `the texts of an event stay text`() {
        let hostile = "<script>alert('x')</script>\u{202E}"
        var event = Array(#"{"a":"<img src=x onerror=alert(1)>"}"#.utf8).withUnsafeBytes {
            LiveEvent($0, arrival: arrival)
        }
        event.type = hostile
        event.installID = "\" onmouseover=\"alert(1)"
        event.screen = hostile
        event.previousScreen = hostile
        event.transition = hostile
        event.paywallSource = hostile
        event.presentationID = hostile
        event.findings = [Finding(.rejected, hostile)]
        var filter = LiveFilter()
        filter.install = "\"><script>"
        filter.type = "<img>"
        let feed = LiveFeed()
        feed.append(event)
        let page = EventsPage.page(
            feed.events(after: nil, LiveFilter(), limit: 1),
            filter,
            feed.totals,
            steps: "",
            of: feed
        )
        for part in ["<script>", "<img", "\u{202E}", "\" onmouseover"] { #expect(!page.contains(part), "\(part)") }
        #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;\\u{202E}"))
        #expect(page.contains("href=\"?install=%22%20onmouseover%3D%22alert%281%29\""))
    }

    @Test func `the page says its bounds, and how to see the rest without script`() {
        let feed = LiveFeed(eventLimit: 300, byteLimit: 4 << 20)
        let page = EventsPage.page(LiveFeed.Slice(), LiveFilter(), feed.totals, steps: "", of: feed)
        #expect(page.contains("The newest 300 events are kept, or 4 MiB of them; a page shows up to 500."))
        #expect(page.contains("<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>"))
        #expect(page.contains("No events yet."))
        #expect(
            EventsPage.state(LiveFeed.Totals(count: 7, wrongCount: 2), skippedCount: 3)
                == "7 events since the start, 2 with something wrong; 3 came too fast to be shown"
        )
    }
}
