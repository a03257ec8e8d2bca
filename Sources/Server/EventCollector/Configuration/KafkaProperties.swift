import RDKafka

/// librdkafka's properties of a collector.
public enum KafkaProperties {
    /// The properties that settings of the collector decide, and which.
    static let reserved = [
        "bootstrap.servers": "bootstrap_servers", "metadata.broker.list": "bootstrap_servers",
        "message.timeout.ms": "timeouts, publish", "delivery.timeout.ms": "timeouts, publish",
        "queue.buffering.max.kbytes": "limits, pending_bytes",
        "queue.buffering.max.messages": "limits, pending_bytes",
        "enable.idempotence": "the collector", "acks": "the collector", "request.required.acks": "the collector",
        "partitioner": "the collector",
    ]

    /// The producer's: a record is given up when ``CollectorTimeouts/publish`` is over, and the queue has room for all
    /// that ``CollectorLimits/pendingSize`` lets in.
    public static func producer(_ settings: CollectorSettings) -> KafkaConfiguration {
        var configuration = KafkaConfiguration(settings.kafka)
        configuration["bootstrap.servers"] = settings.bootstrapServers
        let timeout = Int((settings.timeouts.publish / .milliseconds(1)).rounded(.up))
        configuration["message.timeout.ms"] = String(max(1, timeout))
        let queue = settings.limits.pendingSize / 1024 + 1024
        configuration["queue.buffering.max.kbytes"] = String(min(2_147_483_647, queue))
        configuration["queue.buffering.max.messages"] = "10000000"
        return configuration.withDefaults(defaults)
    }

    // What an operator may set otherwise. Clients wait while records linger, so it is shorter than librdkafka's 5 ms; with
    // none at all librdkafka's thread is busy with batches of a record or two, and takes three times the processor time.
    // So many small batches are compressed faster by lz4 than by zstd, which has more to set up for each.
    private static let defaults: KafkaConfiguration = ["linger.ms": "1", "compression.codec": "lz4"]

    /// The probe's: only how to reach the brokers, as the rest is a producer's.
    static func probe(_ settings: CollectorSettings) -> KafkaConfiguration {
        let prefixes = ["security.", "sasl.", "ssl.", "socket.", "broker.address.", "client.", "reconnect."]
        var configuration = KafkaConfiguration(
            settings.kafka.filter { property, _ in prefixes.contains { property.hasPrefix($0) } }
        )
        configuration["bootstrap.servers"] = settings.bootstrapServers
        return configuration
    }
}
