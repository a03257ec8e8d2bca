import FlowEvents
import Testing

@testable import HTTPSink

@Suite struct RetryAfterTests {
    private let now = Timestamp(milliseconds: 784_111_777_000)

    @Test(arguments: [
        ("0", 0), ("120", 120), (" 5 ", 5), ("999999999999", 86_400), ("99999999999999999999999", 86_400),
        ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:49:27 GMT", 0),
        ("Sun, 06 Nov 2094 08:49:27 GMT", 86_400),
    ])
    func `seconds and dates are understood, within a day`(value: String, seconds: Int) {
        #expect(RetryAfter.duration(value, now: now) == .seconds(seconds))
    }

    @Test(arguments: ["", "-1", "1.5", "soon", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37"])
    func `anything else is not`(value: String) {
        #expect(RetryAfter.duration(value, now: now) == nil)
    }
}
