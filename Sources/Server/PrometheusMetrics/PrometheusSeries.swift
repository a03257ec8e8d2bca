internal import CoreMetrics
import Synchronization

/// The values of one name and one set of labels.
protocol PrometheusSeries: AnyObject, Sendable {
    /// `counter`, `gauge` or `histogram`.
    var kind: String { get }
    /// Appends the series' lines to the page.
    func write(name: String, labels: PrometheusLabels, to page: inout String)
}

/// A number that only grows.
final class CounterSeries: PrometheusSeries, CounterHandler, FloatingPointCounterHandler {
    let kind = "counter"
    private let value = Mutex(0.0)

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func increment(by amount: Double) {
        // If a counter decreases, Prometheus assumes that the process has restarted.
        guard amount > 0 else { return }
        value.withLock { $0 += amount }
    }

    func reset() { value.withLock { $0 = 0 } }

    func write(name: String, labels: PrometheusLabels, to page: inout String) {
        page += "\(name)\(labels) \(PrometheusText.number(value.withLock { $0 }))\n"
    }
}

/// A number that increases and decreases.
final class GaugeSeries: PrometheusSeries, MeterHandler, RecorderHandler {
    let kind = "gauge"
    private let value = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }

    func write(name: String, labels: PrometheusLabels, to page: inout String) {
        page += "\(name)\(labels) \(PrometheusText.number(value.withLock { $0 }))\n"
    }
}

/// The number of values in each range, and their sum.
final class HistogramSeries: PrometheusSeries, RecorderHandler, TimerHandler {
    /// Bounds for durations in seconds: from a millisecond to a minute.
    static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
    /// Bounds for counts.
    static let counts: [Double] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]

    let kind = "histogram"
    private let bounds: [Double]
    private let state: Mutex<(counts: [Int], sum: Double)>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex((Array(repeating: 0, count: bounds.count + 1), 0))
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func write(name: String, labels: PrometheusLabels, to page: inout String) {
        let (counts, sum) = state.withLock { $0 }
        var total = 0
        for (bound, count) in zip(bounds + [.infinity], counts) {
            total += count
            page += "\(name)_bucket\(labels.adding("le", PrometheusText.number(bound))) \(total)\n"
        }
        page += "\(name)_sum\(labels) \(PrometheusText.number(sum))\n"
        page += "\(name)_count\(labels) \(total)\n"
    }
}
