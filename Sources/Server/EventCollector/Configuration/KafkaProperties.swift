import RDKafka
import YAMLNodes

/// The librdkafka properties of a collector's clients.
public enum KafkaProperties {
    /// The properties that must not be under `kafka`, with the setting that decides them.
    static let reserved = [
        "bootstrap.servers": "bootstrap_servers", "metadata.broker.list": "bootstrap_servers",
        "message.timeout.ms": "timeouts, publish", "delivery.timeout.ms": "timeouts, publish",
        "queue.buffering.max.kbytes": "limits, pending_bytes",
        "queue.buffering.max.messages": "limits, pending_bytes",
        "enable.idempotence": "the collector", "acks": "the collector", "request.required.acks": "the collector",
        "partitioner": "the collector",
    ]

    /// The configuration of the producer. A record fails after ``CollectorTimeouts/publish``, and the queue has room
    /// for ``CollectorLimits/pendingSize``.
    public static func producer(_ settings: CollectorSettings) -> KafkaConfiguration {
        var configuration = KafkaConfiguration(settings.kafka.values)
        configuration["bootstrap.servers"] = settings.bootstrapServers
        let timeout = Int((settings.timeouts.publish / .milliseconds(1)).rounded(.up))
        configuration["message.timeout.ms"] = String(max(1, timeout))
        let queue = settings.limits.pendingSize / 1024 + 1024
        configuration["queue.buffering.max.kbytes"] = String(min(2_147_483_647, queue))
        configuration["queue.buffering.max.messages"] = "10000000"
        return configuration.withDefaults(defaults)
    }

    // The defaults; an operator may change them. Clients wait while records linger, so the time is shorter than
    // librdkafka's 5 ms. With no lingering, librdkafka's thread sends batches of one or two records and takes three
    // times the processor time. For many small batches lz4 is faster than zstd, which has more to set up for each.
    private static let defaults: KafkaConfiguration = ["linger.ms": "1", "compression.codec": "lz4"]

    /// The configuration of the probe: only the properties for reaching the brokers. The others are for a producer.
    static func probe(_ settings: CollectorSettings) -> KafkaConfiguration {
        let prefixes = [
            "security.", "sasl.", "ssl.", "enable.sasl.", "enable.ssl.", "https.", "socket.", "broker.", "api.version.",
            "client.", "connections.", "reconnect.", "plugin.",
        ]
        var configuration = KafkaConfiguration(
            settings.kafka.values.filter { property, _ in prefixes.contains { property.hasPrefix($0) } }
        )
        configuration["bootstrap.servers"] = settings.bootstrapServers
        return configuration
    }
}
