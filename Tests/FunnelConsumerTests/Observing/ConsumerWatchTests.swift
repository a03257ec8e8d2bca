import FlowEventTestSupport
import FlowTestSupport
import Foundation
import RDKafka
import Metrics
import PrometheusMetrics
import Testing

@testable import FunnelConsumer

@Suite(.waits, .timeLimit(.minutes(10))) struct ConsumerWatchTests {
    private let registry = PrometheusRegistry(help: FunnelConsumerMetrics.help)

    @Test func `a consumer that is behind shows its lag by partition and in the log, and no longer when it is not`()
        async throws
    {
        let cluster = try Cluster(partitions: 2)
        try await cluster.publish((0..<30).map { screenView("home", "a", second: $0) }, partition: 1)
        let (registry, lines, configuration) = (registry, LogLines(), cluster.configuration)
        try await onThread {
            let consumer = try Consumer(configuration: configuration, groupID: nil, logger: silent)
            defer { consumer.close() }
            let start = ContinuousClock.now
            var watch = ConsumerWatch(
                metrics: ConsumerMetricsRecorder(factory: registry),
                logger: lines.logger,
                now: start
            )
            try consumer.assign([
                PartitionStart(TopicPartition(topic: Cluster.topic, partition: 1), at: .offset(0))
            ])
            let deadline = ContinuousClock.now + .seconds(300)
            // librdkafka fetches on a thread of its own and does not signal that it knows the lag.
            while consumer.lag.isEmpty, ContinuousClock.now < deadline { usleep(10_000) }
            watch.updateLag(of: consumer, now: start + .seconds(1))
            #expect(registry.page().contains("funnel_consumer_lag_records{partition=\"1\"} 30\n"))
            #expect(registry.page().contains("funnel_consumer_assigned_partitions 1\n"))
            watch.updateLag(of: consumer, now: start + .seconds(9))
            #expect(!lines.contains("behind"))
            watch.updateLag(of: consumer, now: start + .seconds(10))
            #expect(lines.contains("behind"))

            var count = 0
            while count < 30, ContinuousClock.now < deadline {
                let records = consumer.poll(timeout: .milliseconds(100)).records
                count += records.count
                watch.recordPoll(recordCount: records.count, since: start, now: start + .milliseconds(5))
            }
            watch.updateLag(of: consumer, now: start + .seconds(12))
            #expect(registry.page().contains("funnel_consumer_lag_records{partition=\"1\"} 0\n"))
            #expect(registry.page().contains("funnel_consumer_batch_duration_seconds_count"))
            try consumer.assign([])
            watch.updateLag(of: consumer, now: start + .seconds(14))
            #expect(!registry.page().contains("funnel_consumer_lag_records{"))
        }
    }
}
