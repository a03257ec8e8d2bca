import FunnelReports
import FunnelTestSupport
import Funnels
import Testing

@testable import funnel_chaos

@Suite struct ReportDifferencesTests {
    private static func report() throws -> FunnelReport {
        var traffic = Traffic(seed: 3, name: "p", chunks: 10, size: 40, installs: 20)
        let records = try (0..<10).flatMap { _ in try traffic.nextChunk(partitions: 3) }
        return FunnelOracle(
            funnels: try Workspace.funnels(),
            records: records.compactMap { $0.event.map { FunnelOracle.Record($0) } }
        ).report()
    }

    @Test func `equal reports have no difference and many figures`() throws {
        let text = JSONReport.render(try Self.report())
        let differences = ReportDifferences(expected: text, found: text)
        #expect(differences.lines.isEmpty)
        #expect(differences.figureCount > 50)
    }

    @Test func `one wrong figure is named with its place`() throws {
        let report = try Self.report()
        var other = report
        other.funnels[1].steps[1].count += 1
        other.quality.late += 2
        let differences = ReportDifferences(
            expected: JSONReport.render(report),
            found: JSONReport.render(other)
        ).lines
        try #require(differences.count == 2)
        let count = report.funnels[1].steps[1].count
        #expect(
            differences[0]
                == #""paywall-to-purchase", "purchase": expected "count": \#(count), found "count": \#(count + 1)"#
        )
        #expect(differences[1].contains(#"expected "late": \#(report.quality.late), found"#))
    }

    @Test func `a breakdown value that is missing is a difference`() throws {
        let report = try Self.report()
        var other = report
        other.funnels[1].breakdown?.removeLast()
        let (text, less) = (JSONReport.render(report), JSONReport.render(other))
        #expect(!ReportDifferences(expected: text, found: less).lines.isEmpty)
        #expect(!ReportDifferences(expected: less, found: text).lines.isEmpty)
        #expect(!ReportDifferences(expected: text, found: "").lines.isEmpty)
    }
}
