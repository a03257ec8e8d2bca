import Metrics
import RDKafka
import Logging

/// What of a consumer's work is shown while it goes on: lag, pace and partitions. It belongs to the consumer's thread.
struct ConsumerWatch {
    private let metrics: ConsumerMetrics
    private let logger: Logger
    private var lagWatch: LagWatch
    private var lastLook: ContinuousClock.Instant
    private var gauges: [Int32: Gauge] = [:]

    init(metrics: ConsumerMetrics, logger: Logger, now: ContinuousClock.Instant) {
        self.metrics = metrics
        self.logger = logger
        lagWatch = LagWatch(now: now)
        lastLook = now
    }

    /// Takes note of a poll's records and how long taking them in took.
    mutating func take(recordCount: Int, since start: ContinuousClock.Instant, now: ContinuousClock.Instant) {
        guard recordCount > 0 else { return }
        metrics.recordBatch(start.duration(to: now))
        lagWatch.add(recordCount)
    }

    /// Looks at the lag, once a second at most.
    mutating func look(at consumer: Consumer, now: ContinuousClock.Instant) {
        guard lastLook.duration(to: now) >= .seconds(1) else { return }
        lastLook = now
        let partitions = Set(consumer.assignment.map(\.partition))
        metrics.record(partitionCount: partitions.count)
        for (partition, gauge) in gauges where !partitions.contains(partition) {
            gauge.destroy()
            gauges[partition] = nil
        }
        let lag = consumer.lag
        for (place, count) in lag {
            let gauge = gauges[place.partition] ?? metrics.lag(of: place.partition)
            gauges[place.partition] = gauge
            gauge.record(count)
        }
        guard let report = lagWatch.report(now: now, lag: lag.values.reduce(0, +)) else { return }
        logger.info(
            "behind",
            metadata: ["lag": "\(report.lag)", "events_per_second": "\(report.recordsPerSecond)"]
        )
    }
}
