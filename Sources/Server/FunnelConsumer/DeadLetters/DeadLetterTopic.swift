public import RDKafka
public import Logging

/// The dead-letter topic, for who looks through it and sends mended records back.
///
/// Reading is in no consumer group. Kafka keeps what was sent back: a letter stays in its topic until its retention ends.
public struct DeadLetterTopic: Sendable {
    private let kafka: KafkaConfiguration
    private let topic: String
    private let logger: Logger
    private let timeout = Duration.seconds(15)

    /// - Parameters:
    ///   - kafka: how the brokers are reached.
    ///   - topic: the dead-letter topic.
    ///   - logger: gets what Kafka says beside the records.
    public init(kafka: KafkaConfiguration, topic: String, logger: Logger) {
        self.kafka = kafka
        self.topic = topic
        self.logger = logger
    }

    /// Calls `body` with each letter that is there now, each partition in order. It blocks.
    ///
    /// A topic that does not exist has none.
    ///
    /// - Throws: ``FunnelConsumerError``, `KafkaConfigurationError`, and what `body` throws.
    public func forEach(_ body: (DeadLetterRecord) throws -> Void) throws {
        try reading { consumer in
            guard let count = try consumer.partitionCount(of: topic, within: timeout) else { return }
            let places = (0..<Int32(count)).map { TopicPartition(topic: topic, partition: $0) }
            try read(consumer, from: places.map { PartitionStart($0, at: .earliest) }) { record in
                try body(record)
                return true
            }
        }
    }

    /// The letter at a place; `nil` where there is none. It blocks.
    ///
    /// - Throws: ``FunnelConsumerError``, `KafkaConfigurationError`.
    public func letter(partition: Int32, offset: Int64) throws -> DeadLetterRecord? {
        try reading { consumer in
            let place = TopicPartition(topic: topic, partition: partition)
            guard let count = try consumer.partitionCount(of: topic, within: timeout), partition < count else {
                return nil
            }
            let watermarks = try consumer.watermarks(of: place, within: timeout)
            guard watermarks.low <= offset, offset < watermarks.high else { return nil }
            var letter: DeadLetterRecord?
            try read(consumer, from: [PartitionStart(place, at: .offset(offset))]) { record in
                letter = record.offset == offset ? record : nil
                return false
            }
            return letter
        }
    }

    /// Sends a record to the topic of the events, and returns when Kafka has it.
    ///
    /// - Throws: `KafkaError`, `KafkaConfigurationError`.
    public func resend(_ message: ProducerMessage, to eventTopic: String) async throws -> RecordMetadata {
        let producer = try Producer(configuration: kafka, logger: logger)
        do {
            let place = try await producer.send(message, to: eventTopic)
            await producer.close(within: .seconds(5))
            return place
        } catch {
            await producer.close(within: .seconds(5))
            throw error
        }
    }

    private func reading<Value>(_ body: (Consumer) throws -> Value) throws -> Value {
        do {
            let consumer = try Consumer(configuration: kafka, groupID: nil, logger: logger)
            defer { consumer.close() }
            return try body(consumer)
        } catch let error as KafkaError {
            throw FunnelConsumerError.brokersUnreachable(error)
        }
    }

    /// Reads until every partition is at its end, or `body` says that it has enough.
    private func read(
        _ consumer: Consumer,
        from starts: [PartitionStart],
        _ body: (DeadLetterRecord) throws -> Bool
    ) throws {
        try consumer.assign(starts)
        var open = Set(starts.map(\.partition))
        var goesOn = true
        while goesOn, !open.isEmpty {
            let poll = consumer.poll(timeout: .milliseconds(100))
            try poll.records.forEach { record in
                if goesOn { goesOn = try body(DeadLetterRecord(record)) }
            }
            for event in poll.events {
                switch event {
                case .endOfPartition(let place, _), .offsetOutOfRange(let place, _, _): open.remove(place)
                case .fatal(let error): throw error
                default: logger.debug("\(event)")
                }
            }
        }
    }
}
