import EventTracking
import EventTrackingTestKit
import FlowEvents
import Testing

@Suite struct SessionTests {
    private static let halfHour: Int64 = 30 * 60 * 1000

    private func session(at milliseconds: Int64, after previous: Session?) -> Session {
        Session.session(
            at: Timestamp(milliseconds: milliseconds),
            after: previous,
            timeout: .seconds(30 * 60),
            makeID: { "s\($0.milliseconds)" }
        )
    }

    @Test func `the first event begins a session`() {
        #expect(session(at: 5, after: nil) == Session(id: "s5", lastEvent: Timestamp(milliseconds: 5)))
    }

    @Test(arguments: [(halfHour - 1, "s0"), (halfHour, "s1800000"), (halfHour + 1, "s1800001")])
    func `a session ends when exactly 30 minutes have passed without an event`(pause: Int64, id: String) {
        #expect(session(at: pause, after: session(at: 0, after: nil)).id == id)
    }

    @Test func `each event starts the 30 minutes anew`() {
        var current = session(at: 0, after: nil)
        for step in 1...10 { current = session(at: Int64(step) * (Self.halfHour - 1), after: current) }
        #expect(current.id == "s0")
    }

    @Test func `a clock that was set back a little begins no session, and the 30 minutes count from there`() {
        let first = session(at: Self.halfHour - 1, after: nil)
        let second = session(at: 0, after: first)
        #expect(second.id == first.id)
        #expect(session(at: Self.halfHour, after: second).id == "s1800000")
    }

    @Test func `moments at the ends of time do not overflow`() {
        let first = session(at: .min, after: nil)
        #expect(session(at: .max, after: first).lastEvent == Timestamp(milliseconds: .max))
    }
}

/// Sessions after a clock that was wrong, and very long ones.
@Suite struct SessionBoundsTests {
    private static let timeout = Duration.seconds(1800)

    private static func session(at seconds: Int64, after previous: Session?, isLaunch: Bool = false) -> String {
        Session.session(
            at: Timestamp(milliseconds: seconds * 1000),
            after: previous,
            timeout: timeout,
            isLaunch: isLaunch,
            makeID: { _ in "new" }
        ).id
    }

    private static func old(start: Int64 = 0, last: Int64) -> Session {
        Session(
            id: "old",
            start: Timestamp(milliseconds: start * 1000),
            lastEvent: Timestamp(milliseconds: last * 1000)
        )
    }

    @Test func `a launch after a clock that was ahead begins a session`() {
        #expect(Self.session(at: 0, after: Self.old(last: 365 * 86_400), isLaunch: true) == "new")
        #expect(Self.session(at: 0, after: Self.old(last: 61), isLaunch: true) == "new")
        // Processes of an app share a session, and their events come a little out of order.
        #expect(Self.session(at: 0, after: Self.old(last: 60), isLaunch: true) == "old")
    }

    @Test func `within a run, a clock that is set back begins one where it is the timeout or more`() {
        #expect(Self.session(at: 0, after: Self.old(last: 1799)) == "old")
        #expect(Self.session(at: 0, after: Self.old(last: 1800)) == "new")
    }

    @Test func `no session is longer than a day`() {
        #expect(Self.session(at: 86_399, after: Self.old(last: 86_000)) == "old")
        #expect(Self.session(at: 86_400, after: Self.old(last: 86_000)) == "new")
    }

    @Test func `an app that is never left begins a session each day, and tells it`() async throws {
        let recorder = EventRecorder()
        let now = Locked(Timestamp(milliseconds: 0))
        let tracker = Tracker(
            source: "app://test",
            identity: .memory(),
            sink: .recording(recorder),
            now: { now.withLock { $0 } },
            clock: ManualClock()
        )
        for step in 0..<(3 * 144) {
            now.withLock { $0 = Timestamp(milliseconds: Int64(step) * 600_000) }
            tracker.track(EventDraft(type: "tick"))
        }
        #expect(tracker.sessionProgress.last == 3)
        await tracker.flush()
        let sessions = try recorder.events.map(\.sessionID)
        #expect(Set(sessions).count == 3 && sessions[0] == sessions[143] && sessions[143] != sessions[144])
    }
}
