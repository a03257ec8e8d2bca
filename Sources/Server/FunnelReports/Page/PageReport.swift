import FlowEvents
import Funnels

/// Writes a report as one HTML file: no script, no request to anywhere, and charts as SVG that adapt to the width.
///
/// No maintained Swift library for charts resolves on Linux, so the charts are drawn from a few shapes.
package enum PageReport {
    /// The greatest number of buckets of a trend that is not asked for by its interval.
    private static let bucketCount = 120

    /// Writes a report as an HTML document that ends with a line feed.
    package static func render(_ report: FunnelReport) -> String {
        let sections = report.funnels.map { PageSection($0, quality: report.quality).markup }
        let names = report.funnels.map(\.funnel.name)
        let links = names.map { "<a href=\"#\($0)\">\($0)</a>" as Markup }
        let navigation: Markup = names.count < 2 ? "" : "<nav aria-label=\"Funnels\">\(links)</nav>"
        let title = names.count == 1 ? "\(names[0]) · funnel" : "Funnels"
        return PageDocument(
            title: title,
            policy: "default-src 'none'; style-src 'unsafe-inline'",
            header: navigation,
            main: "\(PageQuality.unread(report.unreadPartitions))\(sections)\n\(PageQuality.section(report.quality))"
        ).html
    }

    /// Makes a report with all that a page shows: the times, and a trend by the shortest interval that has not too many
    /// buckets, unless another one is asked for. A trend of more than `TrendInterval.maximumBucketCount` months is left out:
    /// one event with a wrong clock can be thousands of years old.
    static func report(
        from source: some SummarySource,
        funnels: [Funnel],
        _ request: ReportRequest
    ) throws -> FunnelReport {
        var request = request
        request.hasTimes = true
        guard request.trend == nil else { return try .make(from: source, funnels: funnels, request) }
        for interval in TrendInterval.allCases {
            request.trend = interval
            do {
                let report = try FunnelReport.make(from: source, funnels: funnels, request)
                let isShort = report.funnels.allSatisfy { $0.trend?.count ?? 0 <= bucketCount }
                if isShort || interval == .month { return report }
            } catch ReportRequestError.tooManyBuckets {
                continue
            }
        }
        request.trend = nil
        return try .make(from: source, funnels: funnels, request)
    }
}
