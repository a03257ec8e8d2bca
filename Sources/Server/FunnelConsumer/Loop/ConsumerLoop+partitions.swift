import FunnelStore
import Funnels
import RDKafka
import Logging

extension ConsumerLoop {
    /// Answers what Kafka says beside the records.
    ///
    /// - Throws: what ends the consumer.
    func handle(_ event: ConsumerEvent) throws {
        do {
            try answer(event)
        } catch let error as KafkaError {
            throw FunnelConsumerError.kafka(error)
        }
    }

    private func answer(_ event: ConsumerEvent) throws {
        switch event {
        case .assigned(let partitions):
            logger.info("assigned", metadata: ["partitions": "\(partitions.map(\.partition))"])
            do {
                try consumer.assign(starts(of: partitions, store.progress()))
                status.setAssigned(true)
            } catch let error as KafkaError where error.isRetriable {
                // The assignment stays unanswered, so the next poll brings it again.
                notices.limited("assignment") {
                    logger.warning("Kafka: cannot begin the partitions yet", metadata: ["error": "\(error)"])
                }
            }
        case .revoked(let partitions), .lost(let partitions):
            logger.info("revoked", metadata: ["partitions": "\(partitions.map(\.partition))"])
            // Where another consumer has them already, the store says so and nothing of this is counted.
            try commitAll()
            for partition in partitions { intake.revoke(partition.partition) }
            status.setAssigned(!Set(consumer.assignment).subtracting(partitions).isEmpty)
        case .endOfPartition(let partition, let offset):
            // Transaction markers and deleted records take offsets that no record comes for. What has come after the
            // end seen at the start is for the next run.
            intake.skip(partition.partition, to: min(offset, ends[partition.partition] ?? offset))
        case .offsetOutOfRange(let partition, let offset, _):
            logger.warning("records were deleted before they were read", metadata: ["offset": "\(offset)"])
            try commitAll()
            try consumer.seek(starts(of: [partition], store.progress()))
        case .topicUnavailable(let topic, let error):
            notices.once("topic \(topic)") {
                logger.warning(
                    "the topic is not there yet; waiting for it",
                    metadata: ["topic": "\(topic)", "error": "\(error)"]
                )
            }
        case .commitFailed(let error):
            logger.debug("the group's offsets were not committed", metadata: ["error": "\(error)"])
        case .error(let error):
            notices.limited("\(error.code)") {
                logger.warning("Kafka: trying again", metadata: ["error": "\(error)"])
            }
        case .fatal(let error):
            throw FunnelConsumerError.kafka(error)
        }
    }

    /// Where to read each partition from: where the store stands, and that place must still be there.
    ///
    /// - Throws: `StoreError.otherData` where the store is ahead of the topic; `KafkaError` where Kafka does not answer.
    func starts(
        of partitions: [TopicPartition],
        _ progress: [PartitionProgress],
        _ body: (Int32, Watermarks) -> Void = { _, _ in }
    ) throws -> [PartitionStart] {
        let stored = Dictionary(uniqueKeysWithValues: progress.map { ($0.partition, $0) })
        return try partitions.map { partition in
            let watermarks = try consumer.watermarks(of: partition, within: options.startTimeout)
            body(partition.partition, watermarks)
            let known = stored[partition.partition]
            intake.assign(partition.partition, stored: known)
            let offset = known?.nextOffset ?? watermarks.low
            guard offset <= watermarks.high else {
                throw StoreError.otherData(
                    """
                    the store has read partition \(partition.partition) of topic \(options.topic) up to offset \
                    \(offset), but the partition ends at \(watermarks.high): the topic was deleted and made anew. \
                    Give this topic a store of its own with --store, or remove the old store to count from the start.
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
            intake.skipDeleted(partition.partition, to: watermarks.low)
            return PartitionStart(partition, at: .offset(watermarks.low))
        }
    }

    /// Refuses a store that has read partitions which the topic does not have.
    func checkPartitions(of progress: [PartitionProgress], count: Int?) throws {
        guard let last = progress.map(\.partition).max(), last >= count ?? 0 else { return }
        throw StoreError.otherData(
            """
            the store has read partition \(last) of topic \(options.topic), but the topic \
            \(count.map { "has only \($0) partitions" } ?? "does not exist"): it was deleted. Give this topic a store \
            of its own with --store, or remove the old store to count from the start.
            """
        )
    }
}
