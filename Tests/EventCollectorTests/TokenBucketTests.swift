import Testing

@testable import EventCollector

@Suite struct TokenBucketTests {
    private let start = ContinuousClock.now

    @Test func `what was saved up can be spent at once, then it takes time`() {
        var bucket = TokenBucket(rate: 10, burst: 2, now: start)
        #expect(bucket.wait(now: start) == nil)
        bucket.spend(20, now: start)
        #expect(bucket.wait(now: start) == .milliseconds(100))
        #expect(bucket.wait(now: start + .milliseconds(100)) == nil)
    }

    @Test func `whoever has a token may go into debt, and waits until it is paid`() {
        var bucket = TokenBucket(rate: 10, burst: 1, now: start)
        bucket.spend(30, now: start)
        #expect(bucket.wait(now: start + .seconds(2)) == .milliseconds(100))
    }

    @Test func `no more is saved than the burst, however long nothing is sent`() {
        var bucket = TokenBucket(rate: 10, burst: 1, now: start)
        let later = start + .seconds(3600)
        bucket.spend(10, now: later)
        #expect(bucket.wait(now: later) != nil)
    }

    @Test func `a clock that stands still gives nothing`() {
        var bucket = TokenBucket(rate: 10, burst: 1, now: start)
        bucket.spend(10, now: start)
        #expect(bucket.wait(now: start - .seconds(5)) == .milliseconds(100))
    }
}
