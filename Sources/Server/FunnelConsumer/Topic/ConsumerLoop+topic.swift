import FunnelStore
import Funnels
import RDKafka
import Logging

extension ConsumerLoop {
    /// Requests the topic's number of partitions again: a group assigns its partitions anew when some were added.
    ///
    /// - Throws: ``FunnelConsumerError`` if the user may not describe the topic, and the errors of a commit.
    func updateTopic() throws {
        do {
            guard let count = try consumer.partitionCount(of: options.topic, within: .seconds(5)) else { return }
            try setPartitionCount(count)
        } catch let error as KafkaError {
            if let missing = FunnelConsumerError.missingRight(error, right: "Describe") { throw missing }
            logger.debug("the number of partitions is not known", metadata: ["error": "\(error)"])
        }
        checkTopicConfiguration()
    }

    /// Says once that the topic is not there yet, and once that it is gone.
    func tellMissingTopic() {
        let message: Logger.Message =
            partitionCount == nil ? "the topic is not there yet; waiting for it" : "the topic is gone; waiting for it"
        logThrottle.once("\(message)") { logger.warning(message, metadata: ["topic": "\(options.topic)"]) }
    }

    /// Finds out from the topic's configuration who sets the timestamps of its records and whether it is compacted, unless
    /// that is known.
    func checkTopicConfiguration() {
        guard !topicFacts.isConfigurationKnown else { return }
        do {
            guard let found = try consumer.topicConfiguration(of: options.topic, within: .seconds(5)) else { return }
            learn(found)
        } catch {
            // Without the right DescribeConfigs, the first record shows who sets the timestamps.
            logger.debug("the topic's configuration is not known", metadata: ["error": "\(error)"])
        }
    }

    /// Takes a topic's configuration in, and warns of it.
    func learn(_ configuration: [String: String]) {
        intake.isCompacted = TopicFacts.isCompacted(configuration)
        warn(of: topicFacts.learn(configuration))
    }

    /// Finds out from the first record who sets the timestamps, unless that is known.
    func checkTimestampType(of records: RecordBatch) {
        guard !topicFacts.isTimestampTypeKnown, !records.isEmpty else { return }
        let timestamp = records.withRecord(at: 0) { $0.timestamp }
        var isCreateTime = false
        if case .create = timestamp { isCreateTime = true }
        warn(of: topicFacts.learn(isCreateTime: isCreateTime))
    }

    private func warn(of warnings: Set<TopicFacts.Warning>) {
        if warnings.contains(.producersTimestamps) { warnOfProducersTimestamps() }
        guard warnings.contains(.compaction) else { return }
        logger.warning(
            """
            the topic forgets events (cleanup.policy=compact): Kafka deletes all events of a key but its last one, and those \
            that are gone before they are read are not counted. The report says how many offsets had no record. Set \
            cleanup.policy=delete
            """,
            metadata: ["topic": "\(options.topic)"]
        )
    }

    private func warnOfProducersTimestamps() {
        logger.warning(
            """
            the topic keeps the producers' timestamps (message.timestamp.type=CreateTime): a producer with a wrong \
            timestamp can make all later events of a partition late, and late events do not count. Only producers that \
            you trust should write to the topic, or set message.timestamp.type=LogAppendTime
            """,
            metadata: ["topic": "\(options.topic)"]
        )
    }

    /// Checks that the topic still has the records that the store has counted last.
    ///
    /// A topic that was deleted and created again has the same name and, if it is long enough, the same offsets.
    ///
    /// - Throws: `StoreError.otherData`.
    func checkLastRecords(of partitions: [TopicPartition], _ progress: [PartitionProgress]) throws {
        let partitions = Set(partitions.map(\.partition))
        try LastRecordCheck(kafka: options.kafka, logger: logger)
            .check(progress.filter { partitions.contains($0.partition) }, topic: options.topic)
    }
}
