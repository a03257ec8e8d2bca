import Testing

@testable import FunnelConsumer

@Suite struct LogThrottleTests {
    private let start = ContinuousClock.now

    @Test func `a notice is given once for each name`() {
        var throttle = LogThrottle()
        var given: [String] = []
        for name in ["a", "b", "a"] { throttle.once(name, now: start) { given.append(name) } }
        #expect(given == ["a", "b"])
    }

    @Test func `a limited notice is given again after ten seconds, each name for itself`() {
        var throttle = LogThrottle()
        var given: [String] = []
        for (second, name) in [(0, "a"), (9, "a"), (9, "b"), (10, "a"), (19, "a"), (20, "a")] {
            throttle.limited(name, now: start + .seconds(second)) { given.append("\(name)\(second)") }
        }
        #expect(given == ["a0", "b9", "a10", "a20"])
    }
}
