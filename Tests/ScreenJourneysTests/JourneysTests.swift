import EventTracking
import FlowEvents
import FlowTestSupport
import Foundation
import GRDB
import ScreenJourneys
import Testing

@Suite(.waits) struct JourneysTests {
    let fixture: JourneysFixture

    init() throws {
        fixture = try JourneysFixture()
    }

    @Test func `the decorator keeps screen views, and hands on every event`() async throws {
        let journeys = fixture.open()
        let seen = Locked<[String]>([])
        let track = journeys.remembering { draft in seen.withLock { $0.append(draft.type) } }
        track(EventDraft(type: "screen_view", screen: "home"))
        track(EventDraft(type: "purchase", screen: "paywall"))
        track(EventDraft(type: "screen_view"))
        #expect(seen.withLock { $0 } == ["screen_view", "purchase", "screen_view"])
        #expect(try await journeys.counts() == ["home": 1])
    }

    @Test func `nothing is opened before there is something to keep or to ask`() throws {
        _ = fixture.open()
        #expect(try fixture.files.isEmpty)
    }

    @Test func `visits are there after a restart`() async throws {
        let first = fixture.open()
        first.visit("home", "detail", "home")
        await first.close()
        #expect(try await fixture.open().counts() == ["home": 2, "detail": 1])
    }

    @Test func `recent visits weigh more, and old days do not count`() async throws {
        let journeys = fixture.open()
        journeys.visit("old")
        fixture.advance(day * 20)
        journeys.visit("past", "past", "past")
        fixture.advance(day * 14)
        journeys.visit("now", "home")
        let visits = try await journeys.mostVisited(days: 30, halfLife: 7, limit: 2, excluding: ["home"])
        #expect(visits.map(\.screen) == ["now", "past"])
        #expect(visits.map(\.weight) == [1, 0.75])
        #expect(visits.map(\.count) == [1, 3])
        let flat = try await journeys.mostVisited(days: 30, halfLife: .infinity, limit: 1)
        #expect(flat.map(\.screen) == ["past"])
    }

    @Test func `the usual next screen is the one that follows most, and going back is not following`() async throws {
        let journeys = fixture.open()
        for next in ["list", "detail", "list"] {
            journeys.visit("home", next)
            journeys.visit("home", transition: "back")
            journeys.visit("home", transition: "dismiss")
        }
        #expect(try await journeys.usualNext(after: "home") == "list")
        #expect(try await journeys.usualNext(after: "list") == nil)
        #expect(try await journeys.usualNext(after: "nowhere") == nil)
    }

    @Test func `what begins a session follows nothing`() async throws {
        let journeys = fixture.open()
        journeys.visit("home")
        fixture.advance(.seconds(1800))
        journeys.visit("profile")
        #expect(try await journeys.usualNext(after: "home") == nil)
    }

    @Test func `the last stop is the last screen of the session before`() async throws {
        let first = fixture.open()
        #expect(try await first.lastStop() == nil)
        first.visit("home", "detail")
        #expect(try await first.lastStop() == nil)
        await first.close()
        let second = fixture.open()
        let stop = try await second.lastStop()
        #expect(stop?.screen == "detail")
        second.visit("home")
        #expect(try await second.lastStop() == stop)
        fixture.advance(.seconds(1799))
        #expect(try await second.lastStop() == stop)
        fixture.advance(.seconds(1))
        #expect(try await second.lastStop()?.screen == "home")
    }

    @Test func `the last item is kept with its screen, over restarts`() async throws {
        let first = fixture.open()
        #expect(try await first.lastItem() == nil)
        first.record(EventDraft(type: "screen_view", screen: "article", properties: ["item_id": "a-1"]))
        first.record(EventDraft(type: "screen_view", screen: "video", properties: ["item_id": "v-7"]))
        first.record(EventDraft(type: "screen_view", screen: "article", properties: ["item_id": 5]))
        first.visit("home")
        await first.close()
        let second = fixture.open()
        #expect(try await second.lastItem(on: "article")?.item == "a-1")
        let stop = try await second.lastItem()
        #expect(stop?.screen == "video" && stop?.item == "v-7")
        #expect(try await second.lastItem(on: "home") == nil)
        #expect(try await second.lastStop()?.item == nil)
        second.record(EventDraft(type: "screen_view", screen: "article", properties: ["item_id": "a-2"]))
        #expect(try await second.lastItem(on: "article")?.item == "a-2")
    }

    @Test func `a file of an earlier version keeps its visits, and gets items`() async throws {
        try await DatabaseQueue(path: fixture.path).write { database in
            try database.execute(
                sql: """
                    CREATE TABLE visits(
                        id INTEGER PRIMARY KEY, session INTEGER NOT NULL, time INTEGER NOT NULL, screen TEXT NOT NULL,
                        transition TEXT, is_paywall INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX visits_by_time ON visits(time);
                    INSERT INTO visits VALUES (1, 1, ?, 'home', 'root', 0);
                    PRAGMA application_id = 1179011633;
                    """,
                arguments: [fixture.clock.withLock { $0.milliseconds }]
            )
        }
        let journeys = fixture.open()
        journeys.record(EventDraft(type: "screen_view", screen: "article", properties: ["item_id": "a-1"]))
        #expect(try await journeys.counts() == ["home": 1, "article": 1])
        #expect(try await journeys.lastItem()?.item == "a-1")
        await journeys.close()
        #expect(try await fixture.open().lastItem()?.item == "a-1")
    }

    @Test func `paywalls are known by name or by source`() async throws {
        let journeys = fixture.open()
        #expect(try await journeys.paywallViews().count == 0)
        journeys.visit("paywall")
        fixture.advance(day * 2)
        journeys.record(EventDraft(type: "screen_view", screen: "offer", paywallSource: "home"))
        journeys.visit("home")
        let all = try await journeys.paywallViews()
        #expect(all.count == 2)
        #expect(all.last == fixture.clock.withLock { $0 })
        #expect(try await journeys.paywallViews(days: 1).count == 1)
    }

    @Test func `the oldest visits go where there are too many`() async throws {
        let journeys = fixture.open(JourneysConfiguration(maximumCount: 3))
        for number in 1...5 {
            journeys.visit("s\(number)")
            await journeys.flush()
        }
        #expect(try await journeys.counts() == ["s3": 1, "s4": 1, "s5": 1])
    }

    @Test func `visits that are too old go, and are not told before they went`() async throws {
        let journeys = fixture.open(JourneysConfiguration(maximumAge: day * 10))
        journeys.visit("old")
        fixture.advance(day * 11)
        #expect(try await journeys.counts().isEmpty)
        journeys.visit("new")
        await journeys.flush()
        fixture.advance(day * -11)
        #expect(try await journeys.counts() == ["new": 1])
    }

    @Test func `a request to erase deletes all visits, and recording goes on`() async throws {
        let journeys = fixture.open()
        journeys.visit("home")
        await journeys.flush()
        journeys.visit("detail")
        let recorder = EventRecorder()
        let tracker = Tracker(source: "app://test", identity: .memory(), sink: .recording(recorder))
        try await tracker.requestErasure(erasing: journeys)
        #expect(try fixture.files.isEmpty)
        await tracker.flush()
        #expect(try recorder.events.map(\.type) == [ErasureRequest.eventType])
        journeys.visit("settings")
        #expect(try await journeys.counts() == ["settings": 1])
    }

    @Test func `opting out deletes everything and keeps nothing more, also after a restart`() async throws {
        let first = fixture.open()
        first.visit("home")
        await first.flush()
        first.visit("detail")
        try await first.optOut()
        first.visit("profile")
        await first.flush()
        #expect(await !first.isEnabled)
        #expect(try fixture.files == ["journeys.sqlite.off"])
        let second = fixture.open()
        second.visit("home")
        #expect(try await second.counts().isEmpty)
        #expect(try await second.lastStop() == nil)
        #expect(try fixture.files == ["journeys.sqlite.off"])
        try await second.optIn()
        second.visit("settings")
        #expect(await second.isEnabled)
        #expect(try await second.counts() == ["settings": 1])
    }
}
