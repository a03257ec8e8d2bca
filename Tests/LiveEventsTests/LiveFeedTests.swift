import FlowEvents
import Testing

@testable import LiveEvents

struct LiveFeedTests {
    private static func event(_ number: Int, size: Int = 100, install: String = "i", isWrong: Bool = false) -> LiveEvent
    {
        var event = [UInt8](repeating: 0x20, count: size).withUnsafeBytes {
            LiveEvent($0, arrival: Timestamp(milliseconds: Int64(number)))
        }
        event.installID = install
        event.type = number.isMultiple(of: 3) ? "screen_view" : "tap"
        if isWrong { event.findings = [Finding(.gap, "")] }
        return event
    }

    @Test func `a page gets what has come since, the newest first`() {
        let feed = LiveFeed()
        #expect(feed.events(after: nil, LiveFilter(), limit: 9) == LiveFeed.Slice())
        for number in 1...5 { feed.append(Self.event(number)) }
        let all = feed.events(after: nil, LiveFilter(), limit: 9)
        #expect(all.events.map(\.number) == [5, 4, 3, 2, 1] && all.last == 5 && all.skippedCount == 0)
        let news = feed.events(after: 3, LiveFilter(), limit: 9)
        #expect(news.events.map(\.number) == [5, 4] && news.last == 5)
        #expect(feed.events(after: 5, LiveFilter(), limit: 9).events == [])
        let some = feed.events(after: 0, LiveFilter(), limit: 2)
        #expect(some.events.map(\.number) == [5, 4] && some.skippedCount == 3)
    }

    @Test func `it keeps a number of events and of bytes, and counts all`() {
        let feed = LiveFeed(eventLimit: 10, byteLimit: 1 << 20)
        for number in 1...95 { feed.append(Self.event(number, isWrong: number.isMultiple(of: 5))) }
        #expect(feed.events(after: nil, LiveFilter(), limit: 99).events.map(\.number) == (86...95).reversed())
        let late = feed.events(after: 40, LiveFilter(), limit: 99)
        #expect(late.events.count == 10 && late.skippedCount == 45)
        #expect(feed.totals == LiveFeed.Totals(count: 95, wrongCount: 19))

        let small = LiveFeed(eventLimit: 1_000, byteLimit: 100_000)
        for number in 1...200 { small.append(Self.event(number, size: 60_000)) }
        #expect(small.events(after: nil, LiveFilter(), limit: 99).events.map(\.number) == [200])
        for number in 201...300 { small.append(Self.event(number, size: 400)) }
        let kept = small.events(after: nil, LiveFilter(), limit: 1_000).events
        #expect(kept.map(\.byteCount).reduce(0, +) <= 100_000 && kept.count > 90)
    }

    @Test func `a filter shows what a search of all events finds`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let limit = Int.random(in: 1...40, using: &generator)
            let feed = LiveFeed(eventLimit: limit, byteLimit: 1 << 30)
            var all: [LiveEvent] = []
            for number in 1...Int.random(in: 1...100, using: &generator) {
                let install = ["a", "b"].randomElement(using: &generator) ?? ""
                var event = Self.event(number, install: install, isWrong: Bool.random(using: &generator))
                feed.append(event)
                event.number = number
                all.append(event)
            }
            var filter = LiveFilter()
            filter.install = [nil, "a", "c"].randomElement(using: &generator) ?? nil
            filter.type = [nil, "tap"].randomElement(using: &generator) ?? nil
            filter.isOnlyWrong = Bool.random(using: &generator)
            let after = Int.random(in: 0...110, using: &generator)
            let kept = all.suffix(limit)
            let wanted = kept.filter { event in
                event.number > after && (filter.install == nil || event.installID == filter.install)
                    && (filter.type == nil || event.type == filter.type)
                    && (!filter.isOnlyWrong || !event.findings.isEmpty)
            }
            let slice = feed.events(after: after, filter, limit: 7)
            #expect(slice.events == Array(wanted.reversed().prefix(7)))
            let gone = all.dropLast(limit).count { $0.number > after }
            #expect(slice.skippedCount == gone + max(0, wanted.count - 7))
            #expect(slice.last == all.count)
        }
    }

    @Test func `a filter is read from the parameters of the page`() {
        func filter(_ parameters: [String: String]) -> LiveFilter { LiveFilter { parameters[$0] } }
        #expect(filter([:]) == LiveFilter())
        #expect(filter(["install": "", "type": "", "wrong": ""]) == LiveFilter())
        let full = filter(["install": "i1", "type": "tap", "wrong": "1"])
        #expect(full.install == "i1" && full.type == "tap" && full.isOnlyWrong)
    }
}
