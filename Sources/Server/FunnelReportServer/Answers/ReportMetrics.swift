import Metrics
import PrometheusMetrics

/// The metrics of one server, and their page in Prometheus' text format.
struct ReportMetrics: Sendable {
    private static let help = [
        "funnel_report_requests_total": "Answered requests, by status.",
        "funnel_report_report_duration_seconds": "Time to make a report, with its wait for a thread.",
        "funnel_report_store_up": "1 if the store could be read last, else 0.",
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
    /// - Parameters:
    ///   - gauges: the gauges of the funnels; `nil` where they could not be made.
    ///   - isStoreUp: whether the store can be read; `nil` where nobody has tried, because too many requests wait for it.
    func page(gauges: String?, isStoreUp: Bool?) -> String {
        if let isStoreUp { storeUp.record(isStoreUp ? 1 : 0) }
        return registry.page() + (gauges ?? "")
    }
}
