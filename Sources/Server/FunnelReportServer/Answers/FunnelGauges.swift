import CoreMetrics
import FlowEvents
import Funnels
import PrometheusMetrics

/// The gauges of the funnels: the settled conversion of the last 7 days, for alerts.
enum FunnelGauges {
    static let help = [
        "funnel_report_settled_conversion":
            "The share of the first step's actors that reached the last step, on the last 7 settled days.",
        "funnel_report_settled_actors": "The actors at the first step, on the last 7 settled days.",
        "funnel_report_settled_to_timestamp_seconds": "The end of the newest settled day, in the funnel's time zone.",
        "funnel_report_unread_partitions":
            "The partitions that no consumer has read for the store within 10 minutes: the figures lack their events.",
    ]

    /// Makes the page. A funnel without a settled day has no gauges.
    ///
    /// - Parameter unreadCount: the number of partitions that were not read of late.
    static func page(from snapshot: some SummarySource, _ funnels: [Funnel], unreadCount: Int) throws -> String {
        var request = ReportRequest(isSettledOnly: true)
        if let week = LastDays(7, .days) { request.days = .last(week) }
        let report = try FunnelReport.make(from: snapshot, funnels: funnels, request)
        let timeZones = try snapshot.timeZones(of: funnels)
        let registry = PrometheusRegistry(help: help)
        registry.makeMeter(label: "funnel_report_unread_partitions", dimensions: []).set(Double(unreadCount))
        for result in report.funnels {
            guard let day = result.states.settledTo, let first = result.steps.first?.count else { continue }
            let labels = [("funnel", result.funnel.name)]
            func set(_ name: String, _ value: Double) {
                registry.makeMeter(label: name, dimensions: labels).set(value)
            }
            let end = timeZones.table(of: result.funnel).end(of: day)
            set("funnel_report_settled_to_timestamp_seconds", Double(end.milliseconds) / 1000)
            set("funnel_report_settled_actors", Double(first))
            guard first > 0, let last = result.steps.last?.count else { continue }
            set("funnel_report_settled_conversion", Double(last) / Double(first))
        }
        return registry.page()
    }
}
