import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Testing

@Suite(.waits) struct TrackerTests {
    private let recorder = EventRecorder()
    private let time = Box(Timestamp(milliseconds: 1_795_342_530_123))

    private func tracker(
        identity: IdentityStore = .memory(),
        sink: EventSink? = nil,
        reports: Box<[TrackerReport]> = Box([])
    ) -> Tracker {
        Tracker(
            source: "app://test",
            identity: identity,
            sink: sink ?? .recording(recorder),
            now: { [time] in time.current },
            clock: ManualClock(),
            ids: .counting("id"),
            onReport: { report in reports.change { $0.append(report) } }
        )
    }

    @Test func `an event has what the draft says, and who, when and in which order`() async throws {
        let tracker = tracker(identity: .memory(Identity(installID: "install", nextSequence: 17)))
        tracker.identify(userID: "u-42")
        let draft = EventDraft(
            type: "screen_view",
            screen: "paywall",
            previousScreen: "home",
            transition: "present",
            presentationID: "p",
            paywallSource: "home",
            properties: ["platform": "ios", "count": 3]
        )
        tracker.track(draft)
        await tracker.flush()
        let expected = Event(
            id: "id-2",
            source: "app://test",
            type: "screen_view",
            time: time.current,
            installID: "install",
            sessionID: "id-1",
            userID: "u-42",
            sequence: 17,
            screen: "paywall",
            previousScreen: "home",
            transition: "present",
            presentationID: "p",
            paywallSource: "home",
            properties: ["platform": "ios", "count": 3]
        )
        #expect(try recorder.events == [expected])
        #expect(recorder.batches.first?.first?.key == "install")
        #expect(recorder.batches.first?.first?.id == "id-2")
    }

    @Test func `the moment is that of track, and the user the one of then`() async throws {
        let tracker = tracker()
        tracker.track(EventDraft(type: "a"))
        time.change { $0.milliseconds += 5 }
        tracker.identify(userID: "u")
        tracker.track(EventDraft(type: "b"))
        tracker.identify(userID: nil)
        time.change { $0.milliseconds += 5 }
        tracker.track(EventDraft(type: "c"))
        await tracker.flush()
        let events = try recorder.events
        #expect(events.map { $0.time.milliseconds % 1000 } == [123, 128, 133])
        #expect(events.map(\.userID) == [nil, "u", nil])
    }

    @Test func `a new session begins after exactly 30 minutes without an event`() async throws {
        let tracker = tracker()
        for pause in [0, 1_799_999, 1_800_000] as [Int64] {
            time.change { $0.milliseconds += pause }
            tracker.track(EventDraft(type: "a"))
        }
        await tracker.flush()
        let sessions = try recorder.events.map(\.sessionID)
        #expect(sessions[0] == sessions[1])
        #expect(sessions[1] != sessions[2])
    }

    @Test func `install, sequence and session go on after a restart`() async throws {
        let store = IdentityStore.memory()
        for _ in 0..<2 {
            let tracker = tracker(identity: store)
            tracker.track(EventDraft(type: "a"))
            tracker.track(EventDraft(type: "b"))
            await tracker.flush()
        }
        let events = try recorder.events
        #expect(events.map(\.sequence) == [0, 1, 2, 3])
        #expect(Set(events.map(\.installID)).count == 1)
        #expect(Set(events.map(\.sessionID)).count == 1)
    }

    @Test func `an event that breaks the contract is counted and reported, and takes no number`() async throws {
        let reports = Box<[TrackerReport]>([])
        let tracker = tracker(reports: reports)
        tracker.track(EventDraft(type: "a"))
        tracker.track(EventDraft(type: ""))
        tracker.track(EventDraft(type: "b", transition: String(repeating: "x", count: 1025)))
        tracker.track(EventDraft(type: "c", properties: ["big": .string(String(repeating: "x", count: 1 << 20))]))
        tracker.track(EventDraft(type: "d"))
        tracker.track(EventDraft(type: "e", screen: String(repeating: "x", count: 1025)))
        tracker.track(EventDraft(type: "f", screen: String(repeating: "x", count: 1024)))
        await tracker.flush()
        #expect(try recorder.events.map(\.sequence) == [0, 1, 2])
        let statistics = tracker.statistics
        #expect(statistics.dropped == [.invalid(.invalidField): 3, .invalid(.tooLarge): 1])
        #expect(statistics.tracked == 7 && statistics.delivered == 3 && statistics.queued == 0)
        let details = reports.current.compactMap { report in
            if case .dropped(let drop) = report { drop.detail } else { nil }
        }
        #expect(details.count == 4 && details[1].contains("data.transition"))
        #expect(details[3] == "data.screen: expected at most 1024 bytes, found a longer string")
    }

    @Test func `what the sink rejects is counted under its code`() async {
        let failure = SinkFailure(code: "MSG_SIZE_TOO_LARGE", detail: "too large")
        let tracker = tracker(sink: EventSink(send: { batch in batch.map { _ in .rejected(failure) } }))
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        #expect(tracker.statistics.dropped == [.rejected(code: "MSG_SIZE_TOO_LARGE"): 1])
    }

    @Test func `events are sent also when the tracker is gone`() async {
        let clock = ManualClock()
        var tracker: Tracker? = Tracker(
            source: "app://test",
            identity: .memory(),
            sink: .recording(recorder),
            clock: clock
        )
        tracker?.track(EventDraft(type: "a"))
        tracker = nil
        await clock.hasSleeper(until: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(await eventually { recorder.batches.count == 1 })
    }
}
