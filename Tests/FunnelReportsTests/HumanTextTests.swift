import Testing

@testable import FunnelReports

@Suite struct HumanTextTests {
    @Test(arguments: [
        (0, "0ms"), (400, "400ms"), (999, "999ms"), (4001, "4.0s"), (9949, "9.9s"), (9950, "10s"), (59499, "59s"),
        (59500, "1m"), (68500, "1m 9s"), (400_000, "6m 40s"), (3_599_499, "59m 59s"), (3_599_500, "1h"),
        (7_500_000, "2h 5m"), (86_369_999, "23h 59m"), (86_370_000, "1d"), (273_600_000, "3d 4h"),
    ])
    func `a time is rounded half up to what people say`(milliseconds: Int64, text: String) {
        #expect(HumanText.duration(milliseconds) == text)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (57195, "57,195"), (1_234_567, "1,234,567")])
    func `a count has thousands separators`(value: Int, text: String) {
        #expect(HumanText.count(value) == text)
    }

    @Test func `a percentage is rounded half up, and there is none of nothing`() {
        #expect(HumanText.percentage(1708, of: 1990) == "85.8%")
        #expect(HumanText.percentage(1, of: 2000) == "0.1%")
        #expect(HumanText.percentage(1, of: 2001) == "0.0%")
        #expect(HumanText.percentage(0, of: 0) == nil)
    }
}
