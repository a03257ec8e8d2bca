import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Foundation
import Testing

/// Tests filters, opting out and opting in.
@Suite struct PrivacyTests {
    private let recorder = EventRecorder()

    private func tracker(
        identity: IdentityStore = .memory(),
        sink: EventSink? = nil,
        filter: EventFilter = .everything
    ) -> Tracker {
        Tracker(
            source: "app://test",
            identity: identity,
            sink: sink ?? .recording(recorder),
            filter: filter,
            clock: ManualClock()
        )
    }

    @Test func `a filter may change and drop drafts, and what it drops is counted and takes no number`() async throws {
        let filter = EventFilter { draft in
            guard draft.type != "secret" else { return nil }
            var draft = draft
            draft.screen = draft.screen.map { _ in "(hidden)" }
            return draft
        }
        let tracker = tracker(filter: filter)
        tracker.track(EventDraft(type: "a", screen: "mail from anna"))
        tracker.track(EventDraft(type: "secret"))
        tracker.track(EventDraft(type: "b"))
        await tracker.flush()
        let events = try recorder.events
        #expect(events.map(\.type) == ["a", "b"] && events.map(\.sequence) == [0, 1])
        #expect(events.map(\.screen) == ["(hidden)", nil])
        #expect(tracker.statistics.dropped == [.filtered: 1] && tracker.statistics.queued == 0)
    }

    @Test func `an allow-list takes every other property out, also those that a filter has added`() async throws {
        let filter = EventFilter { draft in
            var draft = draft
            draft.properties["added"] = true
            return draft
        }
        let tracker = tracker(filter: filter.allowing(properties: ["platform"]))
        tracker.track(EventDraft(type: "a", properties: ["platform": "ios", "email": "a@b"]))
        await tracker.flush()
        #expect(try recorder.events.map(\.properties) == [["platform": "ios"]])
    }

    @Test func `an event says nothing of the device that the app has not said`() async throws {
        let tracker = tracker(identity: .memory(Identity(installID: "install")))
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        let value = try #require(recorder.batches.first?.first?.value)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(value)) as? [String: Any])
        let known = ["specversion", "id", "source", "type", "time", "partitionkey", "datacontenttype", "data"]
        #expect(Set(object.keys) == Set(known))
        let data = try #require(object["data"] as? [String: Any])
        #expect(Set(data.keys) == ["install_id", "session_id", "sequence"])
    }

    @Test func `reset forgets the user and ends the session, and the install stays`() async throws {
        let tracker = tracker()
        tracker.identify(userID: "u")
        tracker.track(EventDraft(type: "a"))
        tracker.reset()
        tracker.track(EventDraft(type: "b"))
        tracker.track(EventDraft(type: "c"))
        await tracker.flush()
        let events = try recorder.events
        #expect(events.map(\.userID) == ["u", nil, nil])
        #expect(events[0].sessionID != events[1].sessionID && events[1].sessionID == events[2].sessionID)
        #expect(Set(events.map(\.installID)).count == 1)
    }

    @Test func `a reset begins a session with the next event if its first event is dropped`() async throws {
        let tracker = tracker(filter: EventFilter { $0.type == "dropped" ? nil : $0 })
        tracker.track(EventDraft(type: "a"))
        tracker.reset()
        tracker.track(EventDraft(type: "dropped"))
        tracker.track(EventDraft(type: "b"))
        await tracker.flush()
        let sessions = try recorder.events.map(\.sessionID)
        #expect(sessions.count == 2 && sessions[0] != sessions[1])
    }

    @Test func `a reset survives the drop of the only event after it`() async throws {
        let tracker = tracker(filter: EventFilter { $0.type == "dropped" ? nil : $0 })
        tracker.track(EventDraft(type: "a"))
        tracker.reset()
        tracker.track(EventDraft(type: "dropped"))
        await tracker.flush()
        tracker.track(EventDraft(type: "b"))
        await tracker.flush()
        let sessions = try recorder.events.map(\.sessionID)
        #expect(sessions.count == 2 && sessions[0] != sessions[1])
    }

    @Test func `a reset survives an invalid event`() async throws {
        let tracker = tracker()
        tracker.track(EventDraft(type: "a"))
        tracker.reset()
        tracker.track(EventDraft(type: ""))
        await tracker.flush()
        tracker.track(EventDraft(type: "b"))
        tracker.track(EventDraft(type: "c"))
        await tracker.flush()
        let sessions = try recorder.events.map(\.sessionID)
        #expect(sessions.count == 3 && sessions[0] != sessions[1] && sessions[1] == sessions[2])
    }

    @Test func `a choice that could not be saved is saved by the next call`() async throws {
        struct DiskFull: Error {}
        let (kept, isFull) = (Locked<Identity?>(Identity(installID: "old")), Locked(true))
        let store = IdentityStore(
            load: { kept.withLock { $0 } },
            save: { identity in
                if isFull.withLock({ $0 }) { throw DiskFull() }
                kept.withLock { $0 = identity }
            }
        )
        let tracker = tracker(identity: store)
        for _ in 0..<2 { await #expect(throws: DiskFull.self) { try await tracker.optOut() } }
        isFull.withLock { $0 = false }
        try await tracker.optOut()
        #expect(kept.withLock { $0?.hasOptedOut } == true && kept.withLock { $0?.installID } != "old")
    }

    @Test func `whose identity cannot be read is told that the choice is not saved`() async throws {
        let unreadable = IdentityStoreError(.unreadable, path: "identity.json", detail: "locked")
        let store = IdentityStore(load: { throw unreadable }, save: { _ in Issue.record("it was saved") })
        let tracker = tracker(identity: store)
        await #expect(throws: unreadable) { try await tracker.optOut() }
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        #expect(recorder.batches.isEmpty)
    }

    @Test(arguments: [false, true])
    func `who has opted out and opts in at the launch is tracked from then on`(isTrackedBefore: Bool) async throws {
        let tracker = tracker(identity: .memory(Identity(installID: "old", hasOptedOut: true)))
        if isTrackedBefore { tracker.track(EventDraft(type: "before")) }
        try await tracker.optIn()
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        #expect(try recorder.events.map(\.type) == ["a"])
        #expect(try recorder.events.first?.installID != "old")
    }

    @Test func `an event that a filter drops neither begins a session nor keeps one alive`() async {
        let now = Locked(Timestamp(milliseconds: 1_790_000_000_000))
        let tracker = Tracker(
            source: "app://test",
            identity: .memory(),
            sink: .recording(recorder),
            filter: EventFilter { $0.type == "dropped" ? nil : $0 },
            now: { now.withLock { $0 } },
            clock: ManualClock()
        )
        func track(_ type: String, afterMinutes minutes: Int64) {
            now.withLock { $0.milliseconds += minutes * 60_000 }
            tracker.track(EventDraft(type: type))
        }
        track("dropped", afterMinutes: 0)
        await tracker.flush()
        #expect(tracker.sessionProgress == SessionProgress(last: 0, next: 1))
        track("a", afterMinutes: 0)
        track("dropped", afterMinutes: 20)
        await tracker.flush()
        #expect(tracker.sessionProgress == SessionProgress(last: 1, next: 1))
        now.withLock { $0.milliseconds += 10 * 60_000 }
        #expect(tracker.sessionProgress == SessionProgress(last: 1, next: 2))
        track("dropped", afterMinutes: 40)
        await tracker.flush()
        #expect(tracker.sessionProgress == SessionProgress(last: 1, next: 2))
    }

    @Test func `opting out drops what is queued and what follows, over restarts`() async throws {
        let store = IdentityStore.memory()
        let busy = EventSink(send: { $0.map { _ in .retry(SinkFailure(code: "busy", detail: "")) } })
        let first = tracker(identity: store, sink: busy)
        first.track(EventDraft(type: "a"))
        await first.flush()
        first.track(EventDraft(type: "b"))
        try await first.optOut()
        first.track(EventDraft(type: "c"))
        await first.flush()
        #expect(first.statistics.dropped == [.optedOut: 3] && first.statistics.queued == 0)
        let second = tracker(identity: store)
        second.track(EventDraft(type: "d"))
        await second.flush()
        second.track(EventDraft(type: "e"))
        await second.flush()
        #expect(second.statistics.dropped == [.optedOut: 2])
        #expect(recorder.batches.isEmpty)
    }

    @Test func `opting in begins a new install`() async throws {
        let store = IdentityStore.memory()
        let tracker = tracker(identity: store)
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        try await tracker.optOut()
        try await tracker.optIn()
        tracker.track(EventDraft(type: "b"))
        try await tracker.optIn()
        tracker.track(EventDraft(type: "c"))
        await tracker.flush()
        let events = try recorder.events
        #expect(events.map(\.type) == ["a", "b", "c"] && events.map(\.sequence) == [0, 0, 1])
        #expect(events[0].installID != events[1].installID && events[1].installID == events[2].installID)
        #expect(events[0].sessionID != events[1].sessionID)
    }

    @Test func `a file keeps that tracking is switched off`() async throws {
        let folder = try TemporaryDirectory()
        let store = IdentityStore.file(path: folder.file("identity.json"))
        try await store.save(Identity(installID: "i", hasOptedOut: true))
        #expect(try await store.load()?.hasOptedOut == true)
        try await store.save(Identity(installID: "i"))
        #expect(try await store.load()?.hasOptedOut == false)
    }
}
