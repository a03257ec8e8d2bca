public import Analytics
public import Kafka
public import Logging

extension EventSink {
    /// How many batches of one tracker a Kafka sink has on their way: enough that a batch is encoded and handed over
    /// while those before it wait for the brokers.
    public static let kafkaMaximumBatchesInFlight = 8

    /// Publishes events to a Kafka topic: one record an event, as the contract has it.
    ///
    /// ```swift
    /// let sink = try EventSink.kafka(producer: producer, topic: "app-events")
    /// let tracker = Tracker(source: "app://com.example.shop", identity: .memory(), sink: sink)
    /// ```
    ///
    /// A record has
    /// - as its key the install id (``EncodedEvent/key``), so that one install's events stay in one partition;
    /// - as its value the event's bytes, unchanged, and as its one header
    ///   `content-type: application/cloudevents+json; charset=UTF-8`: the structured mode of the
    ///   [Kafka protocol binding for CloudEvents](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md);
    /// - as its timestamp the time of publishing.
    ///
    /// ## What becomes of an event
    ///
    /// It is delivered when all in-sync replicas have it. What fails is answered as the extension of
    /// ``EventOutcome`` in this module says: rejected for what the event itself is, else to be retried.
    ///
    /// ## Order and repetition
    ///
    /// librdkafka retries by itself, in order and without repeating, for as long as `message.timeout.ms` (5 minutes).
    /// Only when that is over, or the producer is closed, does the sink say ``EventOutcome/retry(_:after:)``; the
    /// brokers may then have the event although nobody heard of it. Sent again it may stand in the topic twice, and
    /// behind events of its install that were already on their way. The consumer tells a repetition by `source` and
    /// `id` and orders events by their time, so neither changes a count.
    ///
    /// ## Back-pressure
    ///
    /// ``submit`` returns when the producer's queue (`queue.buffering.max.messages`, `queue.buffering.max.kbytes`) has
    /// taken the whole batch. While it is full, each tracker keeps one batch waiting and the others in its own queue,
    /// which has a bound and a policy of its own.
    ///
    /// - Parameters:
    ///   - producer: belongs to the sink from now on: ``shutdown`` closes it.
    ///   - topic: the topic, which should be there.
    ///   - maximumBatchesInFlight: how many batches of one tracker may be on their way.
    ///   - closingWithin: how long ``shutdown`` may take to deliver what was submitted.
    ///   - onClose: told by ``shutdown`` what was not delivered, which the producer's log says too. Each of these
    ///     events is also answered with ``EventOutcome/retry(_:after:)``.
    /// - Throws: `KafkaConfigurationError` for a producer that is not idempotent, does not wait for all replicas, or has
    ///   another partitioner than `murmur2_random`.
    public static func kafka(
        producer: Producer,
        topic: String,
        maximumBatchesInFlight: Int = kafkaMaximumBatchesInFlight,
        closingWithin: Duration = .seconds(10),
        onClose: @escaping @Sendable (UndeliveredRecords) -> Void = { _ in }
    ) throws(KafkaConfigurationError) -> EventSink {
        try producer.guarantees.requireContract()
        return EventSink(
            maximumBatchesInFlight: maximumBatchesInFlight,
            submit: { events in
                let receipt = await producer.submit(ProducerBatch(events), to: topic)
                return EventReceipt { await EventOutcome.outcomes(of: receipt.results()) }
            },
            flush: { producer.flush() },
            shutdown: { await onClose(producer.close(within: closingWithin)) }
        )
    }

    /// Publishes events to a Kafka topic through a producer that it makes; see
    /// ``kafka(producer:topic:maximumBatchesInFlight:closingWithin:onClose:)``.
    ///
    /// ```swift
    /// let sink = try EventSink.kafka(KafkaConfiguration(bootstrapServers: "localhost:9092"), topic: "app-events")
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: any of librdkafka's properties; `bootstrap.servers` is needed. `enable.idempotence`, `acks` and
    ///     `partitioner` are best left out.
    ///   - topic: the topic, which should be there.
    ///   - logger: gets librdkafka's lines, and at the end what was not delivered.
    ///   - maximumBatchesInFlight: how many batches of one tracker may be on their way.
    ///   - closingWithin: how long ``shutdown`` may take to deliver what was submitted.
    ///   - onClose: told by ``shutdown`` what was not delivered.
    /// - Throws: `KafkaConfigurationError` for a property that does not exist, has a wrong value, or turns off what the
    ///   contract asks for.
    public static func kafka(
        _ configuration: KafkaConfiguration,
        topic: String,
        logger: Logger = Logger(label: "kafka.event-sink"),
        maximumBatchesInFlight: Int = kafkaMaximumBatchesInFlight,
        closingWithin: Duration = .seconds(10),
        onClose: @escaping @Sendable (UndeliveredRecords) -> Void = { _ in }
    ) throws(KafkaConfigurationError) -> EventSink {
        try kafka(
            producer: Producer(configuration: configuration, logger: logger),
            topic: topic,
            maximumBatchesInFlight: maximumBatchesInFlight,
            closingWithin: closingWithin,
            onClose: onClose
        )
    }
}
