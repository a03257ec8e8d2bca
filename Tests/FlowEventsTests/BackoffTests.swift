import EventTracking
import Testing

@Suite struct BackoffTests {
    private let backoff = Backoff(base: .seconds(1), maximum: .seconds(60))

    @Test(arguments: [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (1_000_000, 60)])
    func `the limit doubles up to the maximum`(failures: Int, seconds: Int) {
        #expect(backoff.delay(afterFailures: failures, jitter: 0.5) == .seconds(seconds) / 2)
    }

    @Test func `full jitter reaches down to nothing`() {
        #expect(backoff.delay(afterFailures: 5, jitter: 0) == .zero)
    }
}
