public import EventTracking
public import RDKafka
public import Logging

extension EventSink {
    /// The default number of batches that one tracker may have in delivery. With several, the tracker encodes and
    /// submits a batch while the earlier ones wait for the brokers.
    public static let kafkaMaximumBatchesInFlight = 8

    /// The defaults of a sink's own producer, in addition to `Producer.defaults`.
    ///
    /// An event may have 1 MiB (1,048,576 bytes). Its key, its header and the protocol add to that, and librdkafka's
    /// default for `message.max.bytes` is 1,000,000. A batch of several events still stays below librdkafka's
    /// `batch.size`, 1,000,000. The default for the largest compressed batch of a broker (`message.max.bytes`;
    /// `max.message.bytes` of a topic) is 1,048,588: set the topic's to 2,097,152 to accept every valid event.
    public static let kafkaDefaults: KafkaConfiguration = ["message.max.bytes": "2097152"]

    /// Creates a sink that publishes events to a Kafka topic, one record for each event.
    ///
    /// ```swift
    /// let sink = try EventSink.kafka(producer: producer, topic: "app-events")
    /// let tracker = Tracker(source: "app://com.example.shop", identity: .memory(), sink: sink)
    /// ```
    ///
    /// A record has:
    /// - the install id (`EncodedEvent.key`) as its key, so that the events of an install are in one partition;
    /// - the event's bytes, unchanged, as its value, and `content-type: application/cloudevents+json; charset=UTF-8` as
    ///   its only header: the structured mode of the [Kafka protocol binding for
    ///   CloudEvents](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md);
    /// - the time of publishing as its timestamp.
    ///
    /// ## Outcomes
    ///
    /// An event is delivered when all in-sync replicas have it. An event that is invalid for Kafka, for example because
    /// it is too large, is rejected. All other failures are to be retried.
    ///
    /// A broker refuses a whole batch that is larger than the topic's `max.message.bytes`. The sink then sends each of
    /// its events again in a batch of its own, so that only the events that are too large themselves are rejected.
    ///
    /// ## Order and repetition
    ///
    /// librdkafka retries by itself, in order and without repetition, for `message.timeout.ms` (5 minutes). The outcome
    /// `EventOutcome.retry(_:after:)` comes only after that time, from a closed producer, or after a fatal error. The
    /// brokers may then have the event although they did not acknowledge it. Sent again, it may be in the topic twice,
    /// and after later events of its install. The consumer detects a repetition by `source` and `id` and orders events
    /// by time, so that neither changes a count.
    ///
    /// A [fatal error](https://github.com/confluentinc/librdkafka/blob/master/INTRODUCTION.md#fatal-errors) ends the
    /// idempotent producer. The sink closes the old producer, which settles the records that it had sent, and creates a
    /// new one; `submit` waits for that. If the new producer ends the same way before it has delivered anything, the
    /// sink waits before it creates the next one, up to a minute.
    ///
    /// ## Back-pressure
    ///
    /// `submit` returns when the producer's queue (`queue.buffering.max.messages`, `queue.buffering.max.kbytes`) has
    /// accepted the whole batch. While the queue is full, each tracker has one batch waiting in `submit` and keeps
    /// the others in its own queue, which has a limit and a policy of its own.
    ///
    /// - Parameters:
    ///   - producer: the producer. The sink owns it from now on: `shutdown` closes it or its successor.
    ///   - topic: the topic, which should exist.
    ///   - logger: logs refused batches and replaced producers.
    ///   - maximumBatchesInFlight: the number of batches that one tracker may have in delivery.
    ///   - closingWithin: the time that `shutdown` may take to deliver the submitted events.
    ///   - onClose: `shutdown` calls it with the number of undelivered records, which the producer also logs. Each of
    ///     these events also gets the outcome `EventOutcome.retry(_:after:)`.
    /// - Throws: `KafkaConfigurationError` for a producer that is not idempotent, does not wait for all replicas, or
    ///   has a partitioner other than `murmur2_random`.
    public static func kafka(
        producer: Producer,
        topic: String,
        logger: Logger = Logger(label: "kafka.event-sink"),
        maximumBatchesInFlight: Int = kafkaMaximumBatchesInFlight,
        closingWithin: Duration = .seconds(10),
        onClose: @escaping @Sendable (UndeliveredRecords) -> Void = { _ in }
    ) throws(KafkaConfigurationError) -> EventSink {
        try producer.guarantees.requireDeliveryGuarantees()
        let producers = SinkProducers(producer, topic: topic, closingTime: closingWithin, logger: logger)
        return EventSink(
            maximumBatchesInFlight: maximumBatchesInFlight,
            submit: { await producers.submit($0) },
            flush: { producers.flush() },
            shutdown: { await onClose(producers.close()) }
        )
    }

    /// Creates a sink that publishes events to a Kafka topic with a producer of its own; see
    /// ``kafka(producer:topic:logger:maximumBatchesInFlight:closingWithin:onClose:)``.
    ///
    /// ```swift
    /// let sink = try EventSink.kafka(KafkaConfiguration(bootstrapServers: "localhost:9092"), topic: "app-events")
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: librdkafka properties; `bootstrap.servers` is required. Leave out `enable.idempotence`,
    ///     `acks` and `partitioner`. The defaults are ``kafkaDefaults``.
    ///   - topic: the topic, which should exist.
    ///   - logger: logs librdkafka's lines, and at the end the number of undelivered records.
    ///   - maximumBatchesInFlight: the number of batches that one tracker may have in delivery.
    ///   - closingWithin: the time that `shutdown` may take to deliver the submitted events.
    ///   - onClose: `shutdown` calls it with the number of undelivered records.
    /// - Throws: `KafkaConfigurationError` for a property that does not exist, has an invalid value, or disables a
    ///   guarantee that the sink requires.
    public static func kafka(
        _ configuration: KafkaConfiguration,
        topic: String,
        logger: Logger = Logger(label: "kafka.event-sink"),
        maximumBatchesInFlight: Int = kafkaMaximumBatchesInFlight,
        closingWithin: Duration = .seconds(10),
        onClose: @escaping @Sendable (UndeliveredRecords) -> Void = { _ in }
    ) throws(KafkaConfigurationError) -> EventSink {
        try kafka(
            producer: Producer(configuration: configuration.withDefaults(kafkaDefaults), logger: logger),
            topic: topic,
            logger: logger,
            maximumBatchesInFlight: maximumBatchesInFlight,
            closingWithin: closingWithin,
            onClose: onClose
        )
    }
}

extension DeliveryGuarantees {
    /// Checks that the producer cannot lose or repeat events, and partitions them as other clients do.
    fileprivate func requireDeliveryGuarantees() throws(KafkaConfigurationError) {
        try require("enable.idempotence", isIdempotent, "a retry can repeat events or change their order")
        try require("acks", acks == -1, "an event can be lost after it counts as delivered")
        try require(
            "partitioner",
            partitioner == "murmur2_random",
            "an install's events can go to another partition than the events that other clients publish"
        )
    }

    private func require(_ property: String, _ isMet: Bool, _ danger: String) throws(KafkaConfigurationError) {
        guard !isMet else { return }
        throw KafkaConfigurationError(
            code: .reservedProperty,
            property: property,
            explanation: "an event sink needs the producer's default, because otherwise \(danger); leave it out"
        )
    }
}
