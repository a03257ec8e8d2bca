import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Testing

/// The user of events, over launches, and values that events cannot carry.
@Suite struct UserTests {
    private let recorder = EventRecorder()
    private let reports = Locked<[Omission]>([])

    private func launch(_ store: IdentityStore) -> Tracker {
        Tracker(
            source: "app://test",
            identity: store,
            sink: .recording(recorder),
            clock: ManualClock(),
            onReport: { [reports] report in
                if case .omitted(let omission) = report { reports.withLock { $0.append(omission) } }
            }
        )
    }

    private func users() throws -> [String?] { try recorder.events.map(\.userID) }

    @Test func `the user is that of the last launch until the app names another one`() async throws {
        let store = IdentityStore.memory()
        let first = launch(store)
        first.track(EventDraft(type: "a"))
        first.identify(userID: "u1")
        first.track(EventDraft(type: "b"))
        _ = await first.shutdown()
        let second = launch(store)
        second.track(EventDraft(type: "c"))
        second.identify(userID: "u2")
        second.track(EventDraft(type: "d"))
        second.reset()
        second.track(EventDraft(type: "e"))
        _ = await second.shutdown()
        let third = launch(store)
        third.track(EventDraft(type: "f"))
        await third.flush()
        #expect(try users() == [nil, "u1", "u1", "u2", nil, nil])
    }

    @Test func `a user who is named without an event is there in the next launch`() async throws {
        let store = IdentityStore.memory()
        let first = launch(store)
        first.identify(userID: "u1")
        await first.flush()
        let second = launch(store)
        second.track(EventDraft(type: "a"))
        await second.flush()
        #expect(try users() == ["u1"])
    }

    @Test(arguments: ["", String(repeating: "e", count: 1025), String(repeating: "é", count: 513)])
    func `an id that no event can carry is refused and reported, and the events stay`(id: String) async throws {
        let tracker = launch(.memory())
        tracker.identify(userID: "u1")
        tracker.track(EventDraft(type: "a"))
        tracker.identify(userID: id)
        tracker.track(EventDraft(type: "b"))
        await tracker.flush()
        #expect(try users() == ["u1", nil])
        try await until("it is reported") { reports.withLock { $0.map(\.field) } == ["user_id"] }
    }

    @Test func `an id of 1,024 bytes is one`() async throws {
        let tracker = launch(.memory())
        let id = String(repeating: "é", count: 512)
        tracker.identify(userID: id)
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        #expect(try users() == [id])
    }

    @Test func `opting out forgets the user, and one who is named meanwhile is there after opting in`() async throws {
        let store = IdentityStore.memory()
        let tracker = launch(store)
        tracker.identify(userID: "u1")
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        try await tracker.optOut()
        try await tracker.optIn()
        tracker.track(EventDraft(type: "b"))
        try await tracker.optOut()
        tracker.identify(userID: "u2")
        #expect(try await store.load()?.userID == nil)
        try await tracker.optIn()
        tracker.track(EventDraft(type: "c"))
        await tracker.flush()
        #expect(try recorder.events.map { "\($0.type) \($0.userID ?? "-")" } == ["a u1", "c u2"])
    }

    @Test func `a number that JSON cannot carry is left out and reported, and the event stays`() async throws {
        let tracker = launch(.memory())
        for _ in 0..<2 {
            tracker.track(EventDraft(type: "purchase", properties: ["price": 9.99, "ratio": .number(0.0 / 0.0)]))
        }
        tracker.track(EventDraft(type: "c", properties: ["x": .number(.infinity), "y": .number(-.infinity)]))
        await tracker.flush()
        #expect(try recorder.events.map(\.properties) == [["price": 9.99], ["price": 9.99], [:]])
        #expect(try recorder.events.map(\.sequence) == [0, 1, 2])
        // Events that are encoded together are reported together.
        let found = reports.withLock { $0 }.reduce(into: [:]) { $0[$1.field, default: 0] += $1.count }
        #expect(found == ["properties.ratio": 2, "properties.x": 1, "properties.y": 1])
    }

    @Test func `whole numbers of 64 bits keep every digit`() async throws {
        let tracker = launch(.memory())
        tracker.track(
            EventDraft(type: "a", properties: ["id": 1_234_567_890_123_456_789, "least": .number(Int64.min)])
        )
        await tracker.flush()
        let json = String(decoding: try #require(recorder.batches.first?.first?.value), as: UTF8.self)
        #expect(json.contains("1234567890123456789") && json.contains("-9223372036854775808"))
    }
}
