import FlowEvents
import Testing

@Suite struct DurationMillisecondsTests {
    @Test func `whole milliseconds are rounded toward zero, whatever the length`() {
        let seconds: [Int64] = [0, 1, 59, 86_399, 302_231, 302_232, 5_000_000, 9_223_372_036_854_775]
        let attoseconds: [Int64] = [0, 1, 999_999_999_999_999, 1_000_000_000_000_000, 999_999_999_999_999_999]
        for whole in seconds {
            for part in attoseconds where whole < seconds[7] || part == 0 {
                let duration = Duration(secondsComponent: whole, attosecondsComponent: part)
                let expected = whole * 1000 + part / 1_000_000_000_000_000
                #expect(duration.wholeMilliseconds == expected)
                #expect((.zero - duration).wholeMilliseconds == -expected)
            }
        }
    }

    @Test func `a duration beyond the range gives the nearest number`() {
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
        #expect(Duration.seconds(Int64.min + 1).wholeMilliseconds == .min)
    }
}
