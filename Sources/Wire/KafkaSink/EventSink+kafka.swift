public import EventTracking
public import RDKafka
public import Logging

extension EventSink {
    /// How many batches of one tracker a Kafka sink has on their way: enough that a batch is encoded and handed over
    /// while those before it wait for the brokers.
    public static let kafkaMaximumBatchesInFlight = 8

    /// What a sink's own producer is told beside `Producer.defaults`.
    ///
    /// An event may have 1 MiB (1,048,576 bytes), to which its key, its header and the protocol add. librdkafka's default
    /// for `message.max.bytes` is 1,000,000; a batch of several events stays below its `batch.size`, 1,000,000, all the
    /// same. A broker's default for the largest batch (`message.max.bytes`, for a topic `max.message.bytes`), compressed as
    /// it comes, is 1,048,588: give the topic 2,097,152 to take every valid event.
    public static let kafkaDefaults: KafkaConfiguration = ["message.max.bytes": "2097152"]

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
    /// A broker refuses a whole batch where it is larger than the topic's `max.message.bytes`. The sink then sends each
    /// of its events once more in a batch of its own, so that only the ones that are too large themselves are rejected.
    ///
    /// ## Order and repetition
    ///
    /// librdkafka retries by itself, in order and without repeating, for as long as `message.timeout.ms` (5 minutes).
    /// Only when that is over, the producer is closed, or an error was fatal to it, does the sink say
    /// ``EventOutcome/retry(_:after:)``; the brokers may then have the event although nobody heard of it. Sent again it
    /// may stand in the topic twice, and behind events of its install that were already on their way. The consumer tells
    /// a repetition by `source` and `id` and orders events by their time, so neither changes a count.
    ///
    /// A [fatal error](https://github.com/confluentinc/librdkafka/blob/master/INTRODUCTION.md#fatal-errors) ends the
    /// idempotent producer. The old one is closed, which settles what it had sent, then a new one takes its place, and
    /// ``submit`` waits for that. Where the new one ends the same way before it has delivered anything, the next comes
    /// after a wait that grows up to a minute.
    ///
    /// ## Back-pressure
    ///
    /// ``submit`` returns when the producer's queue (`queue.buffering.max.messages`, `queue.buffering.max.kbytes`) has
    /// taken the whole batch. While it is full, each tracker keeps one batch waiting and the others in its own queue,
    /// which has a bound and a policy of its own.
    ///
    /// - Parameters:
    ///   - producer: belongs to the sink from now on: ``shutdown`` closes it, or what has taken its place.
    ///   - topic: the topic, which should be there.
    ///   - logger: is told of refused batches and replaced producers.
    ///   - maximumBatchesInFlight: how many batches of one tracker may be on their way.
    ///   - closingWithin: how long ``shutdown`` may take to deliver what was submitted.
    ///   - onClose: told by ``shutdown`` what was not delivered, which the producer's log says too. Each of these
    ///     events is also answered with ``EventOutcome/retry(_:after:)``.
    /// - Throws: `KafkaConfigurationError` for a producer that is not idempotent, does not wait for all replicas, or has
    ///   another partitioner than `murmur2_random`.
    public static func kafka(
        producer: Producer,
        topic: String,
        logger: Logger = Logger(label: "kafka.event-sink"),
        maximumBatchesInFlight: Int = kafkaMaximumBatchesInFlight,
        closingWithin: Duration = .seconds(10),
        onClose: @escaping @Sendable (UndeliveredRecords) -> Void = { _ in }
    ) throws(KafkaConfigurationError) -> EventSink {
        try producer.guarantees.requireContract()
        let producers = SinkProducers(producer, topic: topic, closingTime: closingWithin, logger: logger)
        return EventSink(
            maximumBatchesInFlight: maximumBatchesInFlight,
            submit: { await producers.submit($0) },
            flush: { producers.flush() },
            shutdown: { await onClose(producers.close()) }
        )
    }

    /// Publishes events to a Kafka topic through a producer that it makes; see
    /// ``kafka(producer:topic:logger:maximumBatchesInFlight:closingWithin:onClose:)``.
    ///
    /// ```swift
    /// let sink = try EventSink.kafka(KafkaConfiguration(bootstrapServers: "localhost:9092"), topic: "app-events")
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: any of librdkafka's properties; `bootstrap.servers` is needed. `enable.idempotence`, `acks` and
    ///     `partitioner` are best left out. What is set where it says nothing is ``kafkaDefaults``.
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
            producer: Producer(configuration: configuration.withDefaults(kafkaDefaults), logger: logger),
            topic: topic,
            logger: logger,
            maximumBatchesInFlight: maximumBatchesInFlight,
            closingWithin: closingWithin,
            onClose: onClose
        )
    }
}
