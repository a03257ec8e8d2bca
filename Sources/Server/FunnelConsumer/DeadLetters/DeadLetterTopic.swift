public import RDKafka
public import Logging

/// Reads the dead-letter topic, and sends corrected records back to the topic of the events.
///
/// ```swift
/// let topic = DeadLetterTopic(kafka: kafka, topic: "app-events.dlq", logger: logger)
/// try topic.forEach { letter in print(letter.header("reason") ?? "") }
/// ```
///
/// Reading joins no consumer group. A letter that was sent back stays in the dead-letter topic until its retention ends.
public struct DeadLetterTopic: Sendable {
    private let kafka: KafkaConfiguration
    private let topic: String
    private let logger: Logger
    private var reader: TopicReader { TopicReader(kafka: kafka, topic: topic, logger: logger) }
    private let timeout = TopicReader.timeout

    /// Creates a reader of a topic. It does not connect yet.
    ///
    /// - Parameters:
    ///   - kafka: librdkafka's properties.
    ///   - topic: the dead-letter topic.
    ///   - logger: logs Kafka's events.
    public init(kafka: KafkaConfiguration, topic: String, logger: Logger) {
        self.kafka = kafka
        self.topic = topic
        self.logger = logger
    }

    /// Calls `body` with each letter that is in the topic now, in order within each partition. It blocks.
    ///
    /// - Returns: whether the topic exists.
    /// - Throws: ``FunnelConsumerError``, `KafkaConfigurationError`, and any error of `body`.
    @discardableResult
    public func forEach(_ body: (DeadLetterRecord) throws -> Void) throws -> Bool {
        try reader.forEach { try body(DeadLetterRecord($0)) }
    }

    /// Returns the letter at an offset, or `nil` if there is none. It blocks.
    ///
    /// - Throws: ``FunnelConsumerError``, `KafkaConfigurationError`.
    public func letter(partition: Int32, offset: Int64) throws -> DeadLetterRecord? {
        try reader.reading { consumer in
            let topicPartition = TopicPartition(topic: topic, partition: partition)
            guard let count = try consumer.partitionCount(of: topic, within: timeout), partition < count else {
                return nil
            }
            let watermarks = try consumer.watermarks(of: topicPartition, within: timeout)
            guard watermarks.low <= offset, offset < watermarks.high else { return nil }
            var letter: DeadLetterRecord?
            try reader.read(consumer, from: [PartitionStart(topicPartition, at: .offset(offset))]) { record in
                letter = record.offset == offset ? DeadLetterRecord(record) : nil
                return false
            }
            return letter
        }
    }

    /// Sends a record to the topic of the events, and returns its offset when Kafka has it.
    ///
    /// - Throws: ``FunnelConsumerError`` for a missing right; `KafkaError`, `KafkaConfigurationError`.
    public func resend(_ message: ProducerMessage, to eventTopic: String) async throws -> RecordMetadata {
        // A valid event may be larger than librdkafka's default allows. The broker decides.
        let defaults: KafkaConfiguration = ["message.max.bytes": "\(DeadLetter.valueLimit)"]
        let producer = try Producer(configuration: kafka.withDefaults(defaults), logger: logger)
        do {
            let metadata = try await producer.send(message, to: eventTopic)
            await producer.close(within: .seconds(5))
            return metadata
        } catch {
            await producer.close(within: .seconds(5))
            if let missing = FunnelConsumerError.missingRight(error, right: "Write") { throw missing }
            throw error
        }
    }
}
