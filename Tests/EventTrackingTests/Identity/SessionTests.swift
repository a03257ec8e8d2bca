import EventTracking
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

    @Test func `a clock that was set back begins no session, and the 30 minutes count from there`() {
        let first = session(at: 100 * Self.halfHour, after: nil)
        let second = session(at: 0, after: first)
        #expect(second.id == first.id)
        #expect(session(at: Self.halfHour, after: second).id == "s1800000")
    }

    @Test func `moments at the ends of time do not overflow`() {
        let first = session(at: .min, after: nil)
        #expect(session(at: .max, after: first).lastEvent == Timestamp(milliseconds: .max))
    }
}
