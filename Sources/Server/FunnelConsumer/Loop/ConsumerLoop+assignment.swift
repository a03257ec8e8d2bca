import Logging
import RDKafka

extension ConsumerLoop {
    /// Looks, from time to time, for partitions that were added to the topic and, where consumers share the store, for
    /// another store in their group. With Kafka's answer, the partitions without further records count as read now.
    ///
    /// - Throws: an error that ends the run.
    func watchAssignment(now: ContinuousClock.Instant) throws {
        guard now >= nextAssignmentCheck else { return }
        defer {
            // A topic that is not there yet is soon looked for again.
            let isWaiting = consumer.assignment.isEmpty && group.storeID == nil
            let interval = options.assignmentCheckInterval
            nextAssignmentCheck = clock.now + (isWaiting ? min(interval, .seconds(1)) : interval)
        }
        // A run to the end has assigned its partitions, and reads no others.
        guard !options.exitsAtEnd else { return }
        let isAnswered = try group.storeID == nil ? assignAllPartitions() : checkGroup(within: .seconds(1))
        guard isAnswered, now >= nextEndConfirmation else { return }
        intake.confirmEnds()
        nextEndConfirmation = now + .seconds(60)
    }

    /// Checks that no other store reads the topic in this store's group: each of both would count a part of it only.
    ///
    /// Another consumer's offsets carry the id of its store. A coordinator that does not answer is asked again later.
    ///
    /// - Returns: whether the coordinator has answered.
    /// - Throws: ``FunnelConsumerError``.
    @discardableResult
    func checkGroup(within timeout: Duration) throws(FunnelConsumerError) -> Bool {
        guard let partitionCount else { return false }
        let partitions = (0..<Int32(partitionCount)).map { TopicPartition(topic: options.topic, partition: $0) }
        let metadata: [TopicPartition: String]
        do {
            metadata = try consumer.committedMetadata(of: partitions, within: timeout)
        } catch {
            logger.debug("the group's offsets are not known", metadata: ["error": "\(error)"])
            return false
        }
        let texts = Dictionary(uniqueKeysWithValues: metadata.map { ($0.key.partition, $0.value) })
        guard let other = group.otherStore(in: texts) else { return true }
        throw .groupOfAnotherStore(group, other, topic: options.topic)
    }

    /// Assigns all partitions of the topic, unless they are assigned already. No group does it, because another consumer in
    /// it would get some of them, and no figure would tell.
    ///
    /// - Returns: whether Kafka has answered, and has the topic.
    private func assignAllPartitions() throws -> Bool {
        let count: Int?
        do {
            count = try consumer.partitionCount(of: options.topic, within: .seconds(1))
        } catch {
            if let missing = FunnelConsumerError.missingRight(error, right: "Describe") { throw missing }
            logger.debug("the number of partitions is not known", metadata: ["error": "\(error)"])
            return false
        }
        guard let count, count > 0 else {
            tellMissingTopic()
            return false
        }
        guard consumer.assignment.count < count else { return true }
        try handle(
            .assigned((0..<Int32(count)).map { TopicPartition(topic: options.topic, partition: $0) })
        )
        return true
    }
}
