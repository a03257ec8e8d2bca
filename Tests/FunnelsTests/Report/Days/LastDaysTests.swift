import Testing

@testable import Funnels

@Suite struct LastDaysTests {
    @Test(arguments: [
        ("1d", "2026-11-15", "2026-11-15"), ("7d", "2026-11-15", "2026-11-09"), ("2w", "2026-11-15", "2026-11-02"),
        ("1m", "2026-11-30", "2026-11-01"), ("1m", "2026-11-15", "2026-10-16"), ("3m", "2026-11-15", "2026-08-16"),
        ("1m", "2026-02-28", "2026-02-01"), ("1m", "2026-03-30", "2026-02-28"), ("12m", "2024-02-29", "2023-03-01"),
        ("1m", "2026-01-31", "2026-01-01"), ("1m", "2026-01-15", "2025-12-16"),
    ])
    func `the days end with the last one, and a month is as long as the calendar says`(
        text: String,
        last: String,
        first: String
    ) throws {
        let days = try #require(LastDays(text))
        #expect(days.description == text)
        #expect(try days.first(endingOn: #require(Day(last))).description == first)
    }

    @Test(arguments: ["", "d", "7", "0d", "-1d", "+1d", "7 d", "7D", "7y", "10000d", "١d", "1.5w", "7dd"])
    func `any other text is no number of days`(text: String) {
        #expect(LastDays(text) == nil)
    }
}
