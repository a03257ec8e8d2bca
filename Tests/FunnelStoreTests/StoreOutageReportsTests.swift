import FunnelStore
import Testing

struct StoreOutageReportsTests {
    private let error = StoreError.unavailable("the store is away")
    private let start = ContinuousClock.now

    @Test func `a short outage is not told, and neither is its end`() {
        var reports = StoreOutageReports()
        #expect(reports.succeeded(now: start) == nil)
        #expect(reports.failed(error, now: start) == nil)
        #expect(reports.failed(error, now: start + .milliseconds(1999)) == nil)
        #expect(reports.lasting == nil)
        #expect(reports.succeeded(now: start + .seconds(2)) == nil)
        #expect(reports.failed(error, now: start + .seconds(3)) == nil)
    }

    @Test func `an outage that lasts is told every ten seconds, and its end once`() {
        var reports = StoreOutageReports()
        #expect(reports.failed(error, now: start) == nil)
        #expect(reports.failed(error, now: start + .seconds(3)) == .lasting(error, .seconds(3)))
        let other = StoreError.unavailable("the store may only be read")
        #expect(reports.failed(other, now: start + .seconds(12)) == nil)
        #expect(reports.lasting == other)
        #expect(reports.failed(error, now: start + .seconds(13)) == .lasting(error, .seconds(13)))
        #expect(reports.succeeded(now: start + .seconds(14)) == .over(.seconds(14)))
        #expect(reports.lasting == nil)
        #expect(reports.succeeded(now: start + .seconds(15)) == nil)
    }
}
