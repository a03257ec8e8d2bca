import Testing
@testable import Funnels
@Suite struct DayTests {
    @Test(arguments: ["1970-01-01", "2024-02-29", "2026-11-20", "0000-03-01", "9999-12-31"])
    func `a day reads what it writes`(text: String) throws {
        #expect(try #require(Day(text)).description == text)
    }
    @Test(arguments: ["2023-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "20260101", "", "2026-11-31", "２026-11-1"])
    func `a day that the calendar does not have is refused`(text: String) {
        #expect(Day(text) == nil)
    }
}
