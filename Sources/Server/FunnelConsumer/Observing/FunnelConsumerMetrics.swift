/// The names and descriptions of the consumer's metrics.
///
/// ```swift
/// let registry = PrometheusRegistry(help: FunnelConsumerMetrics.help)
/// ```
public enum FunnelConsumerMetrics {
    /// The description of each metric, by its name: the `HELP` lines of a Prometheus page.
    public static let help = [
        "funnel_consumer_events_total":
            "The records that were counted, by outcome: accepted, duplicate, late, dead_letter.",
        "funnel_consumer_unread_records_total":
            "The offsets whose records the broker deleted before they were read, or that cannot be read.",
        "funnel_consumer_compacted_records_total":
            "The offsets without a record in a topic that Kafka compacts: deleted for their key, or of transactions.",
        "funnel_consumer_commits_total":
            "The attempts to commit, by outcome: committed, conflict (another consumer had written an install), fenced "
            + "(another consumer had moved a partition on).",
        "funnel_consumer_batch_duration_seconds": "The time to count the records of one poll.",
        "funnel_consumer_commit_duration_seconds":
            "The time to compute and write one commit, dead letters included.",
        "funnel_consumer_cached_installs": "The installs whose state is in memory.",
        "funnel_consumer_cache_bytes": "The approximate memory of those states, in bytes.",
        "funnel_consumer_cache_lookups_total":
            "The installs with events in a commit, by whether their state was in memory: hit, miss.",
        "funnel_consumer_capped_installs_total": "The installs taken out of the funnels for having too many events.",
        "funnel_consumer_erased_installs_total": "The installs erased because a person asked for it.",
        "funnel_consumer_horizon_timestamp_seconds":
            "The time before which events no longer count, in seconds since 1970. Older evidence is removed.",
        "funnel_consumer_assigned_partitions": "The partitions that this consumer reads.",
        "funnel_consumer_stalled_partitions":
            "The partitions of this consumer that made no progress for a minute and have records to read or were never "
            + "fetched.",
        "funnel_consumer_lag_records":
            "The records of the partition that are not read yet. A partition that was never fetched is left out: its lag "
            + "is unknown.",
        "kafka_consumer_records_total": "The records that Kafka has delivered, repeated ones included.",
        "kafka_consumer_stale_records_total":
            "The records that were discarded because they do not follow the partition's position, such as those of before "
            + "a seek or a rebalance.",
        "kafka_consumer_poll_records": "The number of records that one poll returned, in polls that returned anything.",
        "kafka_consumer_rebalances_total": "The times that the group has assigned or revoked partitions.",
        "kafka_consumer_errors_total": "The errors that Kafka has reported.",
        "kafka_producer_records_delivered_total": "The dead letters that Kafka has acknowledged.",
        "kafka_producer_records_failed_total": "The dead letters that Kafka did not accept or acknowledge in time.",
        "kafka_producer_queue_full_total":
            "The times that the producer of dead letters waited because its queue was full.",
    ]
}
