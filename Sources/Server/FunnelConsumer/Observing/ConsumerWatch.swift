import Metrics
import RDKafka
import Logging

/// Shows a consumer's lag, pace and partitions, in metrics and in the log. It belongs to the consumer's thread.
struct ConsumerWatch {
    private let metrics: ConsumerMetricsRecorder
    private let logger: Logger
    private let readiness: ConsumerReadiness
    private var progressWatch = ProgressWatch()
    private var logThrottle = LogThrottle()
    private var lagWatch: LagWatch
    private var lastUpdate: ContinuousClock.Instant
    private var gauges: [Int32: Gauge] = [:]

    init(
        metrics: ConsumerMetricsRecorder,
        logger: Logger,
        readiness: ConsumerReadiness = ConsumerReadiness(),
        now: ContinuousClock.Instant
    ) {
        self.metrics = metrics
        self.readiness = readiness
        self.logger = logger
        lagWatch = LagWatch(now: now)
        lastUpdate = now
    }

    /// Records the number of records of a poll, and how long it took to count them.
    mutating func recordPoll(recordCount: Int, since start: ContinuousClock.Instant, now: ContinuousClock.Instant) {
        guard recordCount > 0 else { return }
        metrics.recordBatch(start.duration(to: now))
        lagWatch.add(recordCount)
    }

    /// Updates the lag of each partition, at most once a second.
    mutating func updateLag(of consumer: Consumer, now: ContinuousClock.Instant) {
        guard lastUpdate.duration(to: now) >= .seconds(1) else { return }
        lastUpdate = now
        let partitions = Set(consumer.assignment.map(\.partition))
        metrics.record(partitionCount: partitions.count)
        for (partition, gauge) in gauges where !partitions.contains(partition) {
            gauge.destroy()
            gauges[partition] = nil
        }
        let lag = consumer.lag
        for (topicPartition, count) in lag {
            let gauge = gauges[topicPartition.partition] ?? metrics.lag(of: topicPartition.partition)
            gauges[topicPartition.partition] = gauge
            gauge.record(count)
        }
        updateProgress(of: consumer, lag, now: now)
        guard let report = lagWatch.report(now: now, lag: lag.values.reduce(0, +)) else { return }
        logger.info(
            "behind",
            metadata: ["lag": "\(report.lag)", "records_per_second": "\(report.recordsPerSecond)"]
        )
    }

    private mutating func updateProgress(
        of consumer: Consumer,
        _ lag: [TopicPartition: Int64],
        now: ContinuousClock.Instant
    ) {
        var partitions: [Int32: ProgressWatch.Observation] = [:]
        for partition in consumer.assignment {
            partitions[partition.partition] = ProgressWatch.Observation(
                position: consumer.position(of: partition),
                lag: lag[partition]
            )
        }
        let stalled = progressWatch.stalled(partitions, now: now)
        metrics.record(stalledPartitionCount: stalled.count)
        readiness.setStalled(stalled.map(\.partition))
        guard !stalled.isEmpty else { return }
        let logger = logger
        logThrottle.limited("stalled", now: now) {
            logger.warning(
                "no progress",
                metadata: [
                    "partitions": "\(stalled.map(\.partition))",
                    "seconds": "\(stalled.map { Int($0.duration / .seconds(1)) })",
                ]
            )
        }
    }
}
