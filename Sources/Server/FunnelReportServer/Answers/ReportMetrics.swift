import Metrics
import PrometheusMetrics

/// The metrics of one server, and their page in Prometheus' text format.
struct ReportMetrics: Sendable {
    private static let help = [
        "funnel_report_requests_total": "Answered requests, by status.",
        "funnel_report_report_duration_seconds": "Time to make a report, with its wait for a thread.",
        "funnel_report_store_up": "Whether the store can be read.",
    ]

    // A registry of its own: a server is not the only one that may report to the process' metrics system.
    private let registry = PrometheusRegistry(help: help)
    private let duration: Timer
    private let storeUp: Gauge

    init() {
        duration = Timer(label: "funnel_report_report_duration_seconds", factory: registry)
        storeUp = Gauge(label: "funnel_report_store_up", factory: registry)
    }

    /// Counts an answer. Labels are status codes only, so that clients cannot create series.
    func countRequest(status: Int) {
        Counter(label: "funnel_report_requests_total", dimensions: [("status", "\(status)")], factory: registry)
            .increment()
    }

    /// Counts a report.
    func countReport(duration: Duration) {
        self.duration.record(duration: duration)
    }

    /// The page of all metrics.
    ///
    /// - Parameter gauges: the gauges of the funnels; `nil` where the store cannot be read.
    func page(gauges: String?) -> String {
        storeUp.record(gauges == nil ? 0 : 1)
        return registry.page() + (gauges ?? "")
    }
}
