package import CoreMetrics
import Synchronization

/// A metrics factory for swift-metrics that writes all metrics as a page for Prometheus.
///
/// ```swift
/// let registry = PrometheusRegistry(help: ["app_requests_total": "Answered requests."])
/// MetricsSystem.bootstrap(registry)
/// let page = registry.page()
/// ```
///
/// Counters become counters, meters and gauges become gauges, timers and recorders become histograms. The values of a
/// timer are seconds; its label should say so. A label and its dimensions name one series, however often a caller asks
/// for it. All methods are safe to call from any thread. The format is [Prometheus' text format
/// 0.0.4](https://prometheus.io/docs/instrumenting/exposition_formats/).
package final class PrometheusRegistry: MetricsFactory {
    private struct Key: Hashable {
        let name: String
        let labels: PrometheusLabels
    }

    private let help: [String: String]
    private let series = Mutex<[Key: any PrometheusSeries]>([:])

    /// Creates an empty registry.
    ///
    /// - Parameter help: the help texts, by the name of the metric.
    package init(help: [String: String] = [:]) {
        self.help = help
    }

    /// The page: all series with their current values, in the order of names and labels.
    package func page() -> String {
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
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions) { CounterSeries() }
    }

    /// The floating-point counter with this label and these dimensions.
    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions) { CounterSeries() }
    }

    /// The gauge with this label and these dimensions.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions) { GaugeSeries() }
    }

    /// A histogram of counts; a gauge if `aggregate` is `false`.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return series(label, dimensions) { GaugeSeries() } }
        return series(label, dimensions) { HistogramSeries(bounds: HistogramSeries.counts) }
    }

    /// A histogram of durations in seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions) { HistogramSeries(bounds: HistogramSeries.seconds) }
    }

    /// Removes the series from the page.
    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    /// Removes the series from the page.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    /// Removes the series from the page.
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    /// Removes the series from the page.
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    /// Removes the series from the page.
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    private func series<Series: PrometheusSeries>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ make: () -> Series
    ) -> Series {
        let key = Key(name: PrometheusText.name(label), labels: PrometheusLabels(dimensions))
        return series.withLock { all in
            if let known = all[key] as? Series { return known }
            let new = make()
            // A page must not have one name with two types. The first type stays; the new series is not shown.
            if !all.contains(where: { $0.key.name == key.name && $0.value.kind != new.kind }) { all[key] = new }
            return new
        }
    }

    private func remove(_ handler: AnyObject) {
        series.withLock { all in all = all.filter { $0.value !== handler } }
    }
}
