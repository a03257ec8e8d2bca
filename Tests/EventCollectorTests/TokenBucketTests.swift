import Testing

@testable import EventCollector

@Suite struct TokenBucketTests {
    private let start = ContinuousClock.now

    @Test func `saved tokens can be spent at once, later ones take time`() {
        var bucket = TokenBucket(rate: 10, burst: 2, now: start)
        #expect(bucket.wait(now: start) == nil)
        bucket.spend(20, now: start)
        #expect(bucket.wait(now: start) == .milliseconds(100))
        #expect(bucket.wait(now: start + .milliseconds(100)) == nil)
    }

    @Test func `a caller with a token may go into debt, and waits until it is paid`() {
        var bucket = TokenBucket(rate: 10, burst: 1, now: start)
        bucket.spend(30, now: start)
        #expect(bucket.wait(now: start + .seconds(2)) == .milliseconds(100))
    }

    @Test func `a bucket saves no more than the burst, however long nothing is spent`() {
        var bucket = TokenBucket(rate: 10, burst: 1, now: start)
        let later = start + .seconds(3600)
        bucket.spend(10, now: later)
        #expect(bucket.wait(now: later) != nil)
    }

    @Test func `a stopped clock adds no tokens`() {
        var bucket = TokenBucket(rate: 10, burst: 1, now: start)
        bucket.spend(10, now: start)
        #expect(bucket.wait(now: start - .seconds(5)) == .milliseconds(100))
    }
}
