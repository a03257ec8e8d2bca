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
            try updateTopic()
            let previous = consumer.assignment
            // Partitions that are read already begin again at the store's offsets. librdkafka has usually revoked them
            // before. Version 2.8 with `group.protocol=consumer` has not.
            if !previous.isEmpty { try commitAll() }
            do {
                let progress = try readiness.awaitingStore { try store.progress() }
                try checkLastRecords(of: partitions, progress)
                try consumer.assign(knownStarts(of: partitions, progress))
                for replaced in Set(previous).subtracting(consumer.assignment) { intake.revoke(replaced.partition) }
                try commitBeginnings(of: partitions, progress)
                readiness.setAssigned(true)
                logger.info("assigned", metadata: ["partitions": "\(partitions.map(\.partition))"])
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
            let end = min(offset, ends[partition.partition] ?? offset)
            intake.skip(partition.partition, to: end)
            intake.setEnd(of: partition.partition, at: end)
        case .offsetOutOfRange(let partition, let offset, _):
            if let countRules {
                throw StoreError.unavailable(
                    "records of \(partition) were deleted while they were read: \(countRules.advice)"
                )
            }
            logger.warning(
                "records were deleted before they were read",
                metadata: ["partition": "\(partition.partition)", "offset": "\(offset)"]
            )
            if !outOfRange.contains(partition) { outOfRange.append(partition) }
            try seekOutOfRange(now: .now)
        case .unreadable(let partition, let offset, let error):
            let end = ends[partition.partition] ?? .max
            // Before the end there is nothing more.
            guard offset < end else { return intake.skip(partition.partition, to: end) }
            try pass(UnreadableBatch(partition, offset: offset), of: partition, at: offset, error)
        case .topicUnavailable: tellMissingTopic()
        case .commitFailed(let error):
            logger.debug("the group's offsets were not committed", metadata: ["error": "\(error)"])
        case .error(let error):
            // With a partition, the error is the answer to a fetch. A run to the end and the consumer of a store of its own
            // do not need the group.
            let right = error.partition == nil ? "Describe" : "Read"
            if let missing = FunnelConsumerError.missingRight(error, right: right) {
                let needsGroup = !options.exitsAtEnd && group.storeID != nil
                guard !needsGroup, error.code == .groupAuthorizationFailed else { throw missing }
                return logger.debug("the group's offsets are not committed", metadata: ["error": "\(error)"])
            }
            logThrottle.limited("\(error.code)") {
                logger.warning("Kafka: trying again", metadata: ["error": "\(error)"])
            }
        case .fatal(let error):
            throw FunnelConsumerError.kafka(error)
        }
    }
}
