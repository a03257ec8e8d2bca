import Testing

@testable import Funnels

@testable import FunnelReports

@Suite struct PageQualityTests {
    @Test func `offsets without a record stand beside what else is missing, and hide nothing of it`() {
        var quality = Quality(events: 97, completeness: Completeness(expected: 100))
        #expect(PageQuality.missing(quality).html == "<li class=\"ok\">✓ no event missing</li>")
        quality.compacted = 143
        let offsets = "<li class=\"warn\">143 offsets without a record</li>"
        #expect(PageQuality.missing(quality).html == offsets)
        quality.completeness.missing = 3
        #expect(PageQuality.missing(quality).html == offsets + "<li class=\"warn\">3 events missing (3.0%)</li>")
        quality.completeness.missing = 0
        quality.unread = 5
        #expect(PageQuality.missing(quality).html == offsets + "<li class=\"warn\">5 records not read</li>")
    }
}
