import FunnelStore
import Funnels
import RDKafka
import Logging

extension ConsumerLoop {
    /// Handles an event of the consumer: an assignment, the end of a partition, an error.
    ///
    /// - Throws: an error that ends the run.
    func handle(_ event: ConsumerEvent) throws {
        do {
            try handleOrThrowKafkaError(event)
        } catch let error as KafkaError {
            throw FunnelConsumerError.kafka(error)
        }
    }

    private func handleOrThrowKafkaError(_ event: ConsumerEvent) throws {
        switch event {
        case .assigned(let partitions):
            logger.info("assigned", metadata: ["partitions": "\(partitions.map(\.partition))"])
            do {
                try consumer.assign(starts(of: partitions, store.progress()))
                readiness.setAssigned(true)
            } catch let error as KafkaError where error.isRetriable {
                // The assignment stays unanswered, so the next poll returns it again.
                logThrottle.limited("assignment") {
                    logger.warning(
                        "Kafka: cannot start reading the partitions yet; trying again",
                        metadata: ["error": "\(error)"]
                    )
                }
            }
        case .revoked(let partitions), .lost(let partitions):
            logger.info("revoked", metadata: ["partitions": "\(partitions.map(\.partition))"])
            // If another consumer reads them already, the store fences this commit and nothing is counted twice.
            try commitAll()
            for partition in partitions { intake.revoke(partition.partition) }
            readiness.setAssigned(!Set(consumer.assignment).subtracting(partitions).isEmpty)
        case .endOfPartition(let partition, let offset):
            // Transaction markers and deleted records have offsets but are not delivered. Records after the end seen at
            // the start are for the next run.
            intake.skip(partition.partition, to: min(offset, ends[partition.partition] ?? offset))
        case .offsetOutOfRange(let partition, let offset, _):
            logger.warning("records were deleted before they were read", metadata: ["offset": "\(offset)"])
            try commitAll()
            try consumer.seek(starts(of: [partition], store.progress()))
        case .unreadable(let partition, let offset, let error):
            try pass(UnreadableBatch(partition, offset: offset), of: partition, at: offset, error)
        case .topicUnavailable(let topic, let error):
            logThrottle.once("topic \(topic)") {
                logger.warning(
                    "the topic is not there yet; waiting for it",
                    metadata: ["topic": "\(topic)", "error": "\(error)"]
                )
            }
        case .commitFailed(let error):
            logger.debug("the group's offsets were not committed", metadata: ["error": "\(error)"])
        case .error(let error):
            logThrottle.limited("\(error.code)") {
                logger.warning("Kafka: trying again", metadata: ["error": "\(error)"])
            }
        case .fatal(let error):
            throw FunnelConsumerError.kafka(error)
        }
    }

    /// Returns the offset to read each partition from: the store's, or the first that the broker still has.
    ///
    /// - Parameters:
    ///   - partitions: the partitions.
    ///   - progress: the store's offsets.
    ///   - onWatermarks: called with each partition and its first and end offsets.
    /// - Throws: `StoreError.otherData` if the store is ahead of the topic; `KafkaError` if Kafka does not answer.
    func starts(
        of partitions: [TopicPartition],
        _ progress: [PartitionProgress],
        onWatermarks: (Int32, Watermarks) -> Void = { _, _ in }
    ) throws -> [PartitionStart] {
        let stored = Dictionary(uniqueKeysWithValues: progress.map { ($0.partition, $0) })
        return try partitions.map { partition in
            let watermarks = try consumer.watermarks(of: partition, within: options.startTimeout)
            onWatermarks(partition.partition, watermarks)
            let known = stored[partition.partition]
            intake.assign(partition.partition, stored: known)
            let offset = known?.nextOffset ?? watermarks.low
            guard offset <= watermarks.high else {
                throw StoreError.otherData(
                    """
                    the store has read partition \(partition.partition) of topic \(options.topic) up to offset \
                    \(offset), but the partition ends at \(watermarks.high): the topic was deleted and created \
                    again. Use another store for this topic, or remove the old store to count from the start.
                    """
                )
            }
            guard offset < watermarks.low else {
                intake.skip(partition.partition, to: offset)
                return PartitionStart(partition, at: .offset(offset))
            }
            logger.warning(
                "records were deleted before they were read",
                metadata: [
                    "partition": "\(partition.partition)", "from": "\(offset)", "to": "\(watermarks.low)",
                    "count": "\(watermarks.low - offset)",
                ]
            )
            intake.skipUnread(partition.partition, to: watermarks.low)
            return PartitionStart(partition, at: .offset(watermarks.low))
        }
    }

    /// Checks that the topic has all partitions that the store has read.
    ///
    /// - Throws: `StoreError.otherData`.
    func checkPartitions(of progress: [PartitionProgress], count: Int?) throws {
        guard let last = progress.map(\.partition).max(), last >= count ?? 0 else { return }
        throw StoreError.otherData(
            """
            the store has read partition \(last) of topic \(options.topic), but the topic \
            \(count.map { "has only \($0) partitions" } ?? "does not exist"): it was deleted. Use another \
            store for this topic, or remove the old store to count from the start.
            """
        )
    }
}
