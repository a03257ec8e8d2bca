import Metrics

/// The counters of a producer, updated once per batch.
struct KafkaProducerMetrics: Sendable {
    private let delivered = Counter(label: "kafka_producer_records_delivered_total")
    private let failed = Counter(label: "kafka_producer_records_failed_total")
    private let queueFull = Counter(label: "kafka_producer_queue_full_total")

    func record(_ batch: (delivered: Int, failed: Int)) {
        delivered.increment(by: batch.delivered)
        failed.increment(by: batch.failed)
    }

    func recordQueueFull() {
        queueFull.increment()
    }
}

/// The counters of a consumer, updated once per poll.
struct KafkaConsumerMetrics: Sendable {
    private let records = Counter(label: "kafka_consumer_records_total")
    private let stale = Counter(label: "kafka_consumer_stale_records_total")
    private let rebalances = Counter(label: "kafka_consumer_rebalances_total")
    private let errors = Counter(label: "kafka_consumer_errors_total")
    private let pollSize = Recorder(label: "kafka_consumer_poll_records")

    func record(_ poll: ConsumerPoll, stale staleCount: Int) {
        guard poll.records.count + poll.events.count + staleCount > 0 else { return }
        records.increment(by: poll.records.count)
        pollSize.record(poll.records.count)
        stale.increment(by: staleCount)
        for event in poll.events {
            switch event {
            case .assigned, .revoked, .lost: rebalances.increment()
            case .endOfPartition: break
            case .offsetOutOfRange, .unreadable, .topicUnavailable, .commitFailed, .error, .fatal: errors.increment()
            }
        }
    }
}
