import Testing

@testable import FunnelConsumer

@Suite struct LagWatchTests {
    private let start = ContinuousClock.now

    @Test func `nothing is said before ten seconds are over`() {
        var watch = LagWatch(now: start)
        watch.add(100)
        #expect(watch.report(now: start + .milliseconds(9999), lag: 1_000_000) == nil)
        #expect(watch.report(now: start + .seconds(10), lag: 1_000_000) == .init(lag: 1_000_000, recordsPerSecond: 10))
    }

    @Test func `each line has the pace since the one before`() {
        var watch = LagWatch(now: start)
        watch.add(100)
        #expect(watch.report(now: start + .seconds(10), lag: 900)?.recordsPerSecond == 10)
        watch.add(400)
        #expect(watch.report(now: start + .seconds(20), lag: 500)?.recordsPerSecond == 40)
    }

    @Test func `less than a second's records is not behind`() {
        var watch = LagWatch(now: start)
        watch.add(1000)
        #expect(watch.report(now: start + .seconds(10), lag: 100) == nil)
    }

    @Test func `a consumer that reads nothing while something waits is behind`() {
        var watch = LagWatch(now: start)
        #expect(watch.report(now: start + .seconds(10), lag: 0) == nil)
        #expect(watch.report(now: start + .seconds(20), lag: 1) == .init(lag: 1, recordsPerSecond: 0))
    }
}
