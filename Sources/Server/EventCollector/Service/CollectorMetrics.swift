import Metrics
import PrometheusMetrics
import Synchronization

/// The metrics of one collector, and their page in Prometheus' text format.
///
/// Labels are status codes, names of write keys, reasons of rejections, and the notification types that this release knows,
/// so that clients cannot create series.
struct CollectorMetrics: Sendable {
    private static let help = [
        "collector_requests_total": "Posts of events, by status.",
        "collector_events_accepted_total": "Events that Kafka acknowledged, by write key.",
        "collector_events_rejected_total": "Events that were rejected, by reason.",
        "collector_webhook_notifications_total": "Notifications of stores, by webhook, type and outcome.",
        "collector_request_duration_seconds": "Time to answer a post of events.",
        "collector_pending_bytes": "Memory that requests hold until their answers are sent, in bytes.",
        "collector_ready": "1 if /readyz answers 200, else 0.",
    ]

    // A registry of its own: a collector is not the only one that may report to the process' metrics system.
    private let registry: PrometheusRegistry
    private let requests: LabeledCounters<Int>
    private let accepted: LabeledCounters<String>
    private let rejected: LabeledCounters<String>
    private let notifications: LabeledCounters<Notification>
    private let duration: Timer
    private let pendingBytes: Gauge
    private let ready: Gauge

    init() {
        registry = PrometheusRegistry(help: Self.help)
        requests = LabeledCounters("collector_requests_total", factory: registry) { [("status", "\($0)")] }
        accepted = LabeledCounters("collector_events_accepted_total", factory: registry) { [("key", $0)] }
        rejected = LabeledCounters("collector_events_rejected_total", factory: registry) { [("reason", $0)] }
        notifications = LabeledCounters("collector_webhook_notifications_total", factory: registry) {
            [("webhook", $0.webhook), ("type", $0.type), ("outcome", $0.outcome)]
        }
        duration = Timer(label: "collector_request_duration_seconds", factory: registry)
        pendingBytes = Gauge(label: "collector_pending_bytes", factory: registry)
        ready = Gauge(label: "collector_ready", factory: registry)
    }

    /// Counts an answer to a `POST /v1/events`.
    func countRequest(status: Int, duration: Duration) {
        requests.increment(status)
        self.duration.record(duration: duration)
    }

    /// Counts the events of a request that was answered with 200.
    func countEvents(_ verdicts: [EventVerdict], accepted count: Int, key: WriteKey) {
        accepted.increment(key.name, by: count)
        for verdict in verdicts {
            if let reason = verdict.rejection?.reason { rejected.increment(reason) }
        }
    }

    /// Counts a notification of a store.
    ///
    /// - Parameter type: the notification's type; `nil` if it was refused before its type was known for certain.
    func countNotification(_ webhook: Webhook, type: String?, _ outcome: WebhookOutcome) {
        notifications.increment(Notification(webhook: webhook.name, type: type ?? "unknown", outcome: outcome.label))
    }

    private struct Notification: Hashable, Sendable {
        var webhook: String
        var type: String
        var outcome: String
    }

    /// The page of all metrics, with the current values of the gauges.
    func page(pendingBytes: Int, isReady: Bool) -> String {
        self.pendingBytes.record(pendingBytes)
        ready.record(isReady ? 1 : 0)
        return registry.page()
    }
}

/// The counters of one metric, one for each value of its labels.
private final class LabeledCounters<Value: Hashable & Sendable>: Sendable {
    private let name: String
    private let labels: @Sendable (Value) -> [(String, String)]
    private let factory: any MetricsFactory
    private let counters = Mutex<[Value: Counter]>([:])

    init(_ name: String, factory: any MetricsFactory, labels: @escaping @Sendable (Value) -> [(String, String)]) {
        self.name = name
        self.labels = labels
        self.factory = factory
    }

    func increment(_ value: Value, by amount: Int = 1) {
        let counter = counters.withLock { counters in
            if let counter = counters[value] { return counter }
            let counter = Counter(label: name, dimensions: labels(value), factory: factory)
            counters[value] = counter
            return counter
        }
        counter.increment(by: amount)
    }
}
