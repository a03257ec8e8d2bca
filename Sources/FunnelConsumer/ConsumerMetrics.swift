import Metrics
import FunnelStore
import Funnels

/// What a consumer tells swift-metrics. Made where the metrics' backend is in place already.
struct ConsumerMetrics: Sendable {
    private let factory: any MetricsFactory
    private let accepted: Counter
    private let duplicates: Counter
    private let late: Counter
    private let deadLetters: Counter
    private let unread: Counter
    private let committed: Counter
    private let conflicts: Counter
    private let fenced: Counter
    private let batch: Timer
    private let commit: Timer
    private let installs: Gauge
    private let partitions: Gauge

    init(factory: any MetricsFactory = MetricsSystem.factory) {
        func events(_ outcome: String) -> Counter {
            Counter(label: "funnel_consumer_events_total", dimensions: [("outcome", outcome)], factory: factory)
        }
        func commits(_ outcome: String) -> Counter {
            Counter(label: "funnel_consumer_commits_total", dimensions: [("outcome", outcome)], factory: factory)
        }
        self.factory = factory
        accepted = events("accepted")
        duplicates = events("duplicate")
        late = events("late")
        deadLetters = events("dead_letter")
        unread = Counter(label: "funnel_consumer_unread_records_total", factory: factory)
        committed = commits("committed")
        conflicts = commits("conflict")
        fenced = commits("fenced")
        batch = Timer(label: "funnel_consumer_batch_duration_seconds", factory: factory)
        commit = Timer(label: "funnel_consumer_commit_duration_seconds", factory: factory)
        installs = Gauge(label: "funnel_consumer_cached_installs", factory: factory)
        partitions = Gauge(label: "funnel_consumer_assigned_partitions", factory: factory)
    }

    /// A poll's records were taken in.
    func recordBatch(_ duration: Duration) { batch.record(duration: duration) }

    /// A commit has ended, whatever became of it.
    func recordCommit(_ duration: Duration, cachedInstalls: Int) {
        commit.record(duration: duration)
        installs.record(cachedInstalls)
    }

    /// What these partitions had is in the store.
    func recordCommitted(_ advances: [PartitionAdvance]) {
        committed.increment()
        let quality = advances.reduce(into: Quality()) { $0 += $1.quality }
        accepted.increment(by: quality.events - quality.late - quality.duplicates)
        duplicates.increment(by: quality.duplicates)
        late.increment(by: quality.late)
        deadLetters.increment(by: quality.deadLetters)
        unread.increment(by: quality.unread)
    }

    /// Another consumer had written some of the installs.
    func recordConflict() { conflicts.increment() }

    /// Another consumer had moved the partitions on.
    func recordFence() { fenced.increment() }

    /// How many partitions this consumer reads.
    func record(partitionCount: Int) { partitions.record(partitionCount) }

    /// The gauge of one partition's lag in records; to be destroyed where the partition goes.
    func lag(of partition: Int32) -> Gauge {
        Gauge(label: "funnel_consumer_lag_records", dimensions: [("partition", "\(partition)")], factory: factory)
    }
}
