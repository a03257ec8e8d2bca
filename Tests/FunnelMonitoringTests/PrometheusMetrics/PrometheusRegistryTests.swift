import CoreMetrics
import Testing

@testable import PrometheusMetrics

@Suite struct PrometheusRegistryTests {
    private let registry = PrometheusRegistry(help: ["a_total": "Requests.\nAnd \\ more."])

    @Test func `an empty registry has an empty page`() {
        #expect(registry.page().isEmpty)
    }

    @Test func `counters, gauges and help are written in the order of names and labels`() {
        Counter(label: "b_total", dimensions: [("outcome", "late")], factory: registry).increment(by: 2)
        Counter(label: "b_total", dimensions: [("outcome", "dead")], factory: registry).increment()
        Counter(label: "b_total", dimensions: [("outcome", "late")], factory: registry).increment()
        Counter(label: "a_total", factory: registry).increment(by: 7)
        Gauge(label: "c", factory: registry).record(1.5)
        Meter(label: "d", factory: registry).set(-3)
        #expect(
            registry.page() == """
                # HELP a_total Requests.\\nAnd \\\\ more.
                # TYPE a_total counter
                a_total 7
                # TYPE b_total counter
                b_total{outcome="dead"} 1
                b_total{outcome="late"} 3
                # TYPE c gauge
                c 1.5
                # TYPE d gauge
                d -3

                """
        )
    }

    @Test func `a timer is a histogram of seconds whose buckets add up`() {
        let timer = Timer(label: "t_seconds", factory: registry)
        timer.recordMilliseconds(1)
        timer.recordMilliseconds(700)
        timer.recordSeconds(100)
        let lines = registry.page().split(separator: "\n").map(String.init)
        #expect(lines.first == "# TYPE t_seconds histogram")
        #expect(lines.contains("t_seconds_bucket{le=\"0.001\"} 1"))
        #expect(lines.contains("t_seconds_bucket{le=\"0.5\"} 1"))
        #expect(lines.contains("t_seconds_bucket{le=\"1\"} 2"))
        #expect(lines.contains("t_seconds_bucket{le=\"60\"} 2"))
        #expect(lines.suffix(3) == ["t_seconds_bucket{le=\"+Inf\"} 3", "t_seconds_sum 100.701", "t_seconds_count 3"])
    }

    @Test func `invalid label values and names are escaped`() {
        Counter(label: "a.b-total", dimensions: [("1st", "x\"\\\ny")], factory: registry).increment()
        #expect(registry.page() == "# TYPE a_b_total counter\na_b_total{_1st=\"x\\\"\\\\\\ny\"} 1\n")
    }

    @Test func `a destroyed series is not on the page`() {
        let gauge = Gauge(label: "lag", dimensions: [("partition", "0")], factory: registry)
        gauge.record(1)
        Gauge(label: "lag", dimensions: [("partition", "1")], factory: registry).record(2)
        gauge.destroy()
        #expect(registry.page() == "# TYPE lag gauge\nlag{partition=\"1\"} 2\n")
    }

    @Test func `a name keeps its first type`() {
        Counter(label: "x", factory: registry).increment()
        Gauge(label: "x", dimensions: [("a", "b")], factory: registry).record(1)
        #expect(registry.page() == "# TYPE x counter\nx 1\n")
    }

    @Test func `a counter does not decrease`() {
        let counter = FloatingPointCounter(label: "x", factory: registry)
        counter.increment(by: 1.25)
        registry.makeFloatingPointCounter(label: "x", dimensions: []).increment(by: -1)
        #expect(registry.page().contains("x 1.25\n"))
    }

    @Test(arguments: [
        (Double.infinity, "+Inf"), (-Double.infinity, "-Inf"), (Double.nan, "NaN"), (0, "0"),
        (1e15, "1000000000000000"),
        (0.1, "0.1"), (1e300, "1e+300"),
    ]) func `numbers have Prometheus' syntax`(_ value: Double, _ text: String) {
        #expect(PrometheusText.number(value) == text)
    }
}
