import Logging
import RDKafka

/// Reads a topic from its first records to its end, without a consumer group.
///
/// ```swift
/// let reader = TopicReader(kafka: kafka, topic: "app-events.dlq", logger: logger)
/// let exists = try reader.forEach { record in print(record.offset) }
/// ```
struct TopicReader {
    /// How long a request to the brokers may take.
    static let timeout = Duration.seconds(15)

    let kafka: KafkaConfiguration
    let topic: String
    let logger: Logger

    /// Calls `body` with each record that is in the topic now, in order within each partition. It blocks.
    ///
    /// - Returns: whether the topic exists.
    /// - Throws: ``FunnelConsumerError``, `KafkaConfigurationError`, and any error of `body`.
    func forEach(_ body: (borrowing ConsumerRecord) throws -> Void) throws -> Bool {
        try reading { consumer in
            guard let count = try consumer.partitionCount(of: topic, within: Self.timeout) else { return false }
            let partitions = (0..<Int32(count)).map { TopicPartition(topic: topic, partition: $0) }
            try read(consumer, from: partitions.map { PartitionStart($0, at: .earliest) }) { record in
                try body(record)
                return true
            }
            return true
        }
    }

    /// Runs `body` with a consumer of its own, which is connected.
    func reading<Value>(_ body: (Consumer) throws -> Value) throws -> Value {
        do {
            let consumer = try Consumer(configuration: kafka, groupID: nil, logger: logger)
            defer { consumer.close() }
            do {
                // Wrong credentials are reported here, without a wait.
                _ = try consumer.clusterID(within: Self.timeout)
            } catch {
                throw FunnelConsumerError.brokersUnreachable(error)
            }
            return try body(consumer)
        } catch let error as KafkaError {
            throw FunnelConsumerError.missingRight(error, right: "Describe") ?? .kafka(error)
        }
    }

    /// Reads until every partition is at its end, or `body` returns `false`.
    func read(
        _ consumer: Consumer,
        from starts: [PartitionStart],
        _ body: (borrowing ConsumerRecord) throws -> Bool
    ) throws {
        try consumer.assign(starts)
        var open = Set(starts.map(\.partition))
        var continues = true
        var logThrottle = LogThrottle()
        while continues, !open.isEmpty {
            let poll = consumer.poll(timeout: .milliseconds(100))
            try poll.records.forEach { record in
                if continues { continues = try body(record) }
            }
            for event in poll.events {
                switch event {
                case .endOfPartition(let partition, _), .offsetOutOfRange(let partition, _, _): open.remove(partition)
                case .unreadable(let partition, let offset, let error):
                    logger.warning("records that cannot be read are left out", metadata: ["error": "\(error)"])
                    let end = try UnreadableBatch(partition, offset: offset).end(
                        from: consumer.position(of: partition) ?? offset,
                        configuration: kafka,
                        within: Self.timeout,
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
