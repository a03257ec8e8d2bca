public import CoreMetrics
import Synchronization

/// Keeps what swift-metrics is told, and writes it as a page for Prometheus.
///
/// ```swift
/// let registry = PrometheusRegistry(help: ["app_requests_total": "The requests that were answered."])
/// MetricsSystem.bootstrap(registry)
/// let page = registry.page()
/// ```
///
/// Counters are counters, meters and gauges are gauges, timers and recorders are histograms; a timer's values are
/// seconds, as its label should say. One label and its dimensions are one series, however often they are asked for.
/// Every call is safe from any thread. The format is
/// [Prometheus' text format 0.0.4](https://prometheus.io/docs/instrumenting/exposition_formats/).
public final class PrometheusRegistry: MetricsFactory {
    /// The content type of ``page()``.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private struct Key: Hashable {
        let name: String
        let labels: PrometheusLabels
    }

    private let help: [String: String]
    private let series = Mutex<[Key: any PrometheusSeries]>([:])

    /// Creates an empty registry.
    ///
    /// - Parameter help: what a metric means, by its name; written above it.
    public init(help: [String: String] = [:]) {
        self.help = help
    }

    /// All series as they are now, by name and labels.
    public func page() -> String {
        let all = series.withLock { $0 }.sorted { ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels) }
        var page = ""
        var name: String?
        for (key, series) in all {
            if key.name != name {
                name = key.name
                if let help = help[key.name] { page += "# HELP \(key.name) \(PrometheusText.help(help))\n" }
                page += "# TYPE \(key.name) \(series.kind)\n"
            }
            series.write(name: key.name, labels: key.labels, to: &page)
        }
        return page
    }

    /// The counter with this label and these dimensions.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions) { CounterSeries() }
    }

    /// The same as a counter.
    public func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions) { CounterSeries() }
    }

    /// The gauge with this label and these dimensions.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions) { GaugeSeries() }
    }

    /// A histogram of numbers of things; a gauge where only the last value is wanted.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return series(label, dimensions) { GaugeSeries() } }
        return series(label, dimensions) { HistogramSeries(bounds: HistogramSeries.counts) }
    }

    /// A histogram of seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions) { HistogramSeries(bounds: HistogramSeries.seconds) }
    }

    /// Takes the series off the page.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    /// Takes the series off the page.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    /// Takes the series off the page.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    /// Takes the series off the page.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    /// Takes the series off the page.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    private func series<Series: PrometheusSeries>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ make: () -> Series
    ) -> Series {
        let key = Key(name: PrometheusText.name(label), labels: PrometheusLabels(dimensions))
        return series.withLock { all in
            if let known = all[key] as? Series { return known }
            let new = make()
            // A page must not have a name twice with different types; the first to come is the one that is shown.
            if !all.contains(where: { $0.key.name == key.name && $0.value.kind != new.kind }) { all[key] = new }
            return new
        }
    }

    private func remove(_ handler: AnyObject) {
        series.withLock { all in all = all.filter { $0.value !== handler } }
    }
}
