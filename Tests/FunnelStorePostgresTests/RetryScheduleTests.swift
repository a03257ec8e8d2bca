@testable import FunnelStorePostgres
import Testing

@Suite struct RetryScheduleTests {
    @Test func `waits double up to a bound, and are never none`() {
        var (shortest, longest) = (RetrySchedule(), RetrySchedule())
        let waits = (0..<12).map { _ in (shortest.next(share: 0), longest.next(share: 1)) }
        #expect(waits.prefix(3).map(\.1) == [.milliseconds(20), .milliseconds(40), .milliseconds(80)])
        #expect(waits.last?.1 == RetrySchedule.longest)
        #expect(waits.allSatisfy { $0.0 * 4 == $0.1 && $0.0 > .zero })
    }
}
