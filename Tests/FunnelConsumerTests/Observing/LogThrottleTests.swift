import Testing

@testable import FunnelConsumer

@Suite struct NoticesTests {
    private let start = ContinuousClock.now

    @Test func `a notice is given once for each name`() {
        var notices = Notices()
        var given: [String] = []
        for name in ["a", "b", "a"] { notices.once(name, now: start) { given.append(name) } }
        #expect(given == ["a", "b"])
    }

    @Test func `a limited notice is given again after ten seconds, each name for itself`() {
        var notices = Notices()
        var given: [String] = []
        for (second, name) in [(0, "a"), (9, "a"), (9, "b"), (10, "a"), (19, "a"), (20, "a")] {
            notices.limited(name, now: start + .seconds(second)) { given.append("\(name)\(second)") }
        }
        #expect(given == ["a0", "b9", "a10", "a20"])
    }
}
