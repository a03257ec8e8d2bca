import Logging
import RDKafka

extension ConsumerLoop {
    /// Passes by a batch that can never be read, and counts its records as unread.
    ///
    /// If the broker does not answer, nothing changes: librdkafka requests the batch again and reports it again.
    func pass(
        _ batch: UnreadableBatch,
        of partition: TopicPartition,
        at offset: Int64,
        _ error: KafkaError
    ) throws {
        guard consumer.assignment.contains(partition), let position = intake.position(of: partition.partition) else {
            return
        }
        let end: Int64
        do {
            end = try batch.end(
                from: position,
                configuration: options.kafka,
                within: options.startTimeout,
                logger: logger
            )
        } catch let error as KafkaError where error.isRetriable {
            logThrottle.limited("unreadable \(partition)") {
                logger.warning(
                    "Kafka: cannot find the end of a batch that cannot be read; trying again",
                    metadata: ["partition": "\(partition.partition)", "from": "\(offset)", "error": "\(error)"]
                )
            }
            return
        }
        // Offsets before the batch that were not delivered have no records for consumers.
        let first = max(position, offset)
        logger.error(
            "these records cannot be read; they are left out and count as unread",
            metadata: [
                "partition": "\(partition.partition)", "from": "\(first)", "to": "\(end)", "count": "\(end - first)",
                "error": "\(error)",
            ]
        )
        intake.skip(partition.partition, to: first)
        intake.skipUnread(partition.partition, to: end)
        try consumer.seek([PartitionStart(partition, at: .offset(end))])
    }
}
