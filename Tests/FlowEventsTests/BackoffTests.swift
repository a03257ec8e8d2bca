import FlowEvents
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

    @Test func `a jitter with a lower bound never gives no delay`() {
        let backoff = Backoff(base: .milliseconds(20), maximum: .seconds(2))
        let delays = (1...12).map { failures in
            [0.25, 1].map { backoff.delay(afterFailures: failures, jitter: $0) }
        }
        #expect(delays.prefix(3).map { $0[1] } == [.milliseconds(20), .milliseconds(40), .milliseconds(80)])
        #expect(delays.last?[1] == backoff.maximum)
        #expect(delays.allSatisfy { $0[0] * 4 == $0[1] && $0[0] > .zero })
    }
}
