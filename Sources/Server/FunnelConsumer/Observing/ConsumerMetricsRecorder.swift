import FlowEvents
import FunnelStore
import Funnels
import Metrics

/// Records a consumer's metrics with swift-metrics; ``FunnelConsumerMetrics/help`` describes them.
///
/// Create it after `MetricsSystem.bootstrap`.
struct ConsumerMetricsRecorder: Sendable {
    private let factory: any MetricsFactory
    private let accepted: Counter
    private let duplicates: Counter
    private let late: Counter
    private let deadLetters: Counter
    private let unread: Counter
    private let compacted: Counter
    private let committed: Counter
    private let conflicts: Counter
    private let fenced: Counter
    private let batch: Timer
    private let commit: Timer
    private let installs: Gauge
    private let cacheBytes: Gauge
    private let cacheHits: Counter
    private let cacheMisses: Counter
    private let capped: Counter
    private let erased: Counter
    private let partitions: Gauge
    private let stalledPartitions: Gauge

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
        compacted = Counter(label: "funnel_consumer_compacted_records_total", factory: factory)
        committed = commits("committed")
        conflicts = commits("conflict")
        fenced = commits("fenced")
        batch = Timer(label: "funnel_consumer_batch_duration_seconds", factory: factory)
        commit = Timer(label: "funnel_consumer_commit_duration_seconds", factory: factory)
        installs = Gauge(label: "funnel_consumer_cached_installs", factory: factory)
        cacheBytes = Gauge(label: "funnel_consumer_cache_bytes", factory: factory)
        func lookups(_ outcome: String) -> Counter {
            Counter(label: "funnel_consumer_cache_lookups_total", dimensions: [("outcome", outcome)], factory: factory)
        }
        cacheHits = lookups("hit")
        cacheMisses = lookups("miss")
        capped = Counter(label: "funnel_consumer_capped_installs_total", factory: factory)
        erased = Counter(label: "funnel_consumer_erased_installs_total", factory: factory)
        partitions = Gauge(label: "funnel_consumer_assigned_partitions", factory: factory)
        stalledPartitions = Gauge(label: "funnel_consumer_stalled_partitions", factory: factory)
    }

    /// Records how long it took to count the records of a poll.
    func recordBatch(_ duration: Duration) { batch.record(duration: duration) }

    /// Records how long a commit took, successful or not.
    func recordCommit(_ duration: Duration) { commit.record(duration: duration) }

    /// Records the size of the counter's cache, and its hits and misses beyond the `known` ones.
    func recordCache(_ counter: FunnelCounter, since known: (hits: Int64, misses: Int64)) {
        installs.record(counter.installCount)
        cacheBytes.record(counter.cacheByteCount)
        // A new counter's counts begin at 0.
        cacheHits.increment(by: max(0, counter.hitCount - known.hits))
        cacheMisses.increment(by: max(0, counter.missCount - known.misses))
    }

    /// Records the time before which events no longer count.
    func record(horizon time: Timestamp) {
        // Created only now, because a gauge without a value is exported as 0.
        let horizon = Gauge(label: "funnel_consumer_horizon_timestamp_seconds", factory: factory)
        horizon.record(Double(time.milliseconds) / 1000)
    }

    /// Records a successful commit and the quality counts in it.
    func recordCommitted(_ advances: [PartitionAdvance]) {
        committed.increment()
        let quality = advances.reduce(into: Quality()) { $0 += $1.quality }
        accepted.increment(by: quality.events - quality.late - quality.duplicates)
        duplicates.increment(by: quality.duplicates)
        late.increment(by: quality.late)
        deadLetters.increment(by: quality.deadLetters)
        unread.increment(by: quality.unread)
        compacted.increment(by: quality.compacted)
        // An erased install may have been counted here.
        capped.increment(by: max(0, quality.capped))
    }

    /// Records how many installs a commit has erased.
    func recordErased(_ count: Int) { erased.increment(by: count) }

    /// Records that another consumer had written some of the commit's installs.
    func recordConflict() { conflicts.increment() }

    /// Records that another consumer had moved the commit's partitions on.
    func recordFence() { fenced.increment() }

    /// Records how many partitions this consumer reads.
    func record(partitionCount: Int) { partitions.record(partitionCount) }

    /// Records how many of these partitions have records to read and are not read on.
    func record(stalledPartitionCount: Int) { stalledPartitions.record(stalledPartitionCount) }

    /// Creates the gauge of a partition's lag, in records. Destroy it when the partition is revoked.
    func lag(of partition: Int32) -> Gauge {
        Gauge(label: "funnel_consumer_lag_records", dimensions: [("partition", "\(partition)")], factory: factory)
    }
}
