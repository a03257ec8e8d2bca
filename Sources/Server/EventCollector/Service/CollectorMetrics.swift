import Synchronization

/// The collector's counters, in Prometheus'
/// [text format](https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
///
/// Kept here, because no exporter for swift-metrics is among the package's dependencies. Labels are status codes, names
/// of write keys and reasons, so that there are few of them whatever clients send.
final class CollectorMetrics: Sendable {
    private struct Counts {
        var requests: [Int: Int] = [:]
        var accepted: [String: Int] = [:]
        var rejected: [String: Int] = [:]
        var seconds = 0.0
    }

    private let counts = Mutex(Counts())

    /// Counts an answer to a `POST /v1/events`.
    func countRequest(status: Int, took time: Duration) {
        counts.withLock { counts in
            counts.requests[status, default: 0] += 1
            counts.seconds += time / .seconds(1)
        }
    }

    /// Counts the events of a request that was answered with 200.
    func countEvents(_ verdicts: [EventVerdict], accepted: Int, key: WriteKey) {
        counts.withLock { counts in
            counts.accepted[key.name, default: 0] += accepted
            for verdict in verdicts {
                guard let reason = verdict.rejection?.reason else { continue }
                counts.rejected[reason, default: 0] += 1
            }
        }
    }

    /// All of it as text.
    func text(pendingBytes: Int, isReady: Bool) -> String {
        let counts = counts.withLock { $0 }
        var text = ""
        func add(_ name: String, _ type: String, _ help: String, _ samples: [String]) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
            for sample in samples { text += "\(sample)\n" }
        }
        func labeled<Label: Comparable>(_ name: String, _ label: String, _ values: [Label: Int]) -> [String] {
            values.sorted { $0.key < $1.key }.map { #"\#(name){\#(label)="\#($0.key)"} \#($0.value)"# }
        }
        let requests = "collector_requests_total"
        add(requests, "counter", "Posts of events, by status.", labeled(requests, "status", counts.requests))
        let accepted = "collector_events_accepted_total"
        let acceptedHelp = "Events that Kafka acknowledged, by write key."
        add(accepted, "counter", acceptedHelp, labeled(accepted, "key", counts.accepted))
        let rejected = "collector_events_rejected_total"
        add(rejected, "counter", "Events that were rejected, by reason.", labeled(rejected, "reason", counts.rejected))
        let duration = "collector_request_duration_seconds"
        let total = counts.requests.values.reduce(0, +)
        let samples = ["\(duration)_sum \(counts.seconds)", "\(duration)_count \(total)"]
        add(duration, "summary", "Time to answer a post of events.", samples)
        let pending = "collector_pending_bytes"
        add(pending, "gauge", "Memory that requests hold until Kafka acknowledges.", ["\(pending) \(pendingBytes)"])
        add("collector_ready", "gauge", "Whether Kafka answers.", ["collector_ready \(isReady ? 1 : 0)"])
        return text
    }
}
