/// The metrics that a consumer keeps.
public enum FunnelConsumerMetrics {
    /// What each of them means, by its name.
    public static let help = [
        "funnel_consumer_events_total":
            "The records in the store, by what became of them: accepted, duplicate, late, dead_letter.",
        "funnel_consumer_unread_records_total": "The offsets whose records were deleted before they were read.",
        "funnel_consumer_commits_total":
            "The attempts to commit: committed, conflict (another consumer had written an install), fenced (another "
            + "consumer had moved a partition on).",
        "funnel_consumer_batch_duration_seconds": "How long taking in the records of one poll took.",
        "funnel_consumer_commit_duration_seconds":
            "How long working out and writing one interval took, with the dead letters in it.",
        "funnel_consumer_cached_installs": "The installs whose state is at hand in memory.",
        "funnel_consumer_cache_bytes": "The memory that their states take, roughly.",
        "funnel_consumer_cache_lookups_total":
            "The installs with events in an interval, by whether their state was at hand: hit, miss.",
        "funnel_consumer_capped_installs_total": "The installs that left the funnels because they had too many events.",
        "funnel_consumer_horizon_timestamp_seconds":
            "The time before which no event counts any more, in seconds since 1970: evidence of before it is removed.",
        "funnel_consumer_assigned_partitions": "The partitions that this consumer reads.",
        "funnel_consumer_lag_records": "The records of the partition that are not read yet.",
        "kafka_consumer_records_total": "The records that Kafka has delivered, repeated ones included.",
        "kafka_consumer_rebalances_total": "The times that the group gave or took partitions.",
        "kafka_consumer_errors_total": "What Kafka has reported as going wrong.",
    ]
}
