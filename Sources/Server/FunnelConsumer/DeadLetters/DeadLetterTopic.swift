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
    private let timeout = Duration.seconds(15)

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
        try reading { consumer in
            guard let count = try consumer.partitionCount(of: topic, within: timeout) else { return false }
            let partitions = (0..<Int32(count)).map { TopicPartition(topic: topic, partition: $0) }
            try read(consumer, from: partitions.map { PartitionStart($0, at: .earliest) }) { record in
                try body(record)
                return true
            }
            return true
        }
    }

    /// Returns the letter at an offset, or `nil` if there is none. It blocks.
    ///
    /// - Throws: ``FunnelConsumerError``, `KafkaConfigurationError`.
    public func letter(partition: Int32, offset: Int64) throws -> DeadLetterRecord? {
        try reading { consumer in
            let topicPartition = TopicPartition(topic: topic, partition: partition)
            guard let count = try consumer.partitionCount(of: topic, within: timeout), partition < count else {
                return nil
            }
            let watermarks = try consumer.watermarks(of: topicPartition, within: timeout)
            guard watermarks.low <= offset, offset < watermarks.high else { return nil }
            var letter: DeadLetterRecord?
            try read(consumer, from: [PartitionStart(topicPartition, at: .offset(offset))]) { record in
                letter = record.offset == offset ? record : nil
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

    private func reading<Value>(_ body: (Consumer) throws -> Value) throws -> Value {
        do {
            let consumer = try Consumer(configuration: kafka, groupID: nil, logger: logger)
            defer { consumer.close() }
            do {
                // Wrong credentials are reported here, without a wait.
                _ = try consumer.clusterID(within: timeout)
            } catch {
                throw FunnelConsumerError.brokersUnreachable(error)
            }
            return try body(consumer)
        } catch let error as KafkaError {
            throw FunnelConsumerError.missingRight(error, right: "Describe") ?? .kafka(error)
        }
    }

    /// Reads until every partition is at its end, or `body` returns `false`.
    private func read(
        _ consumer: Consumer,
        from starts: [PartitionStart],
        _ body: (DeadLetterRecord) throws -> Bool
    ) throws {
        try consumer.assign(starts)
        var open = Set(starts.map(\.partition))
        var continues = true
        var logThrottle = LogThrottle()
        while continues, !open.isEmpty {
            let poll = consumer.poll(timeout: .milliseconds(100))
            try poll.records.forEach { record in
                if continues { continues = try body(DeadLetterRecord(record)) }
            }
            for event in poll.events {
                switch event {
                case .endOfPartition(let partition, _), .offsetOutOfRange(let partition, _, _): open.remove(partition)
                case .unreadable(let partition, let offset, let error):
                    logger.warning("letters that cannot be read are left out", metadata: ["error": "\(error)"])
                    let end = try UnreadableBatch(partition, offset: offset).end(
                        from: consumer.position(of: partition) ?? offset,
                        configuration: kafka,
                        within: timeout,
                        logger: logger
                    )
                    try consumer.seek([PartitionStart(partition, at: .offset(end))])
                case .error(let error) where FunnelConsumerError.missingRight(error, right: "Read") != nil:
                    throw FunnelConsumerError.kafka(error, right: "Read")
                case .fatal(let error): throw error
                case .error(let error):
                    logThrottle.limited("kafka") {
                        logger.warning("Kafka: trying again", metadata: ["error": "\(error)"])
                    }
                default: logger.debug("\(event)")
                }
            }
        }
    }
}
