import EventTracking
import EventTrackingTestKit
import FlowEvents
import Testing

@Suite struct RunClockTests {
    @Test func `the device's clock is read once, and time goes on from there`() {
        let steady = ManualClock()
        let clock = RunClock(anchor: Timestamp(milliseconds: 1000), clock: steady)
        #expect(clock.now.milliseconds == 1000)
        steady.advance(by: .milliseconds(1500))
        #expect(clock.now.milliseconds == 2500)
        steady.advance(by: .seconds(86_400 * 400))
        #expect(clock.now.milliseconds == 2500 + 86_400_000 * 400)
    }

    @Test func `started clocks never go back`() {
        let now = RunClock.started()
        var last = now()
        for _ in 0..<10_000 {
            let next = now()
            #expect(next >= last)
            last = next
        }
    }
}
