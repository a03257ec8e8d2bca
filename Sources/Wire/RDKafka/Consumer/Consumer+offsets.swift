import CRDKafka

extension Consumer {
    /// Commits offsets to the consumer group: for each partition the offset of the next record to read.
    ///
    /// The commit serves tools that show the group's lag; this consumer does not start from it. A failure is an event
    /// of a later poll.
    ///
    /// - Parameters:
    ///   - offsets: the offsets.
    ///   - metadata: a text that the group keeps with each offset, see ``committedMetadata(of:within:)``.
    /// - Throws: ``KafkaError`` if the commit cannot be started.
    public func commit(_ offsets: [TopicPartition: Int64], metadata: String? = nil) throws(KafkaError) {
        guard !offsets.isEmpty else { return }
        let list = TopicPartitionList(offsets.map { (partition: $0.key, offset: $0.value) }, metadata: metadata)
        try check(rd_kafka_commit(handle.pointer, list.pointer, 1), "Cannot commit offsets")
    }

    /// Commits offsets like ``commit(_:)``, and waits for the broker's answer.
    ///
    /// - Throws: ``KafkaError`` if the broker refuses, or does not answer in time.
    public func commit(_ offsets: [TopicPartition: Int64], within timeout: Duration) throws(KafkaError) {
        guard !offsets.isEmpty else { return }
        let list = TopicPartitionList(offsets.map { (partition: $0.key, offset: $0.value) })
        let answers = rd_kafka_queue_new(handle.pointer)
        defer { rd_kafka_queue_destroy(answers) }
        try check(rd_kafka_commit_queue(handle.pointer, list.pointer, answers, nil, nil), "Cannot commit offsets")
        guard let answer = rd_kafka_queue_poll(answers, timeout.milliseconds) else {
            throw handle.context.error(RD_KAFKA_RESP_ERR__TIMED_OUT, message: "No answer to a commit of offsets")
        }
        defer { rd_kafka_event_destroy(answer) }
        try check(rd_kafka_event_error(answer), "Cannot commit offsets")
        let partitions = TopicPartitionList.elements(of: rd_kafka_event_topic_partition_list(answer))
        if let failed = partitions.first(where: { $0.error != RD_KAFKA_RESP_ERR_NO_ERROR }) {
            throw handle.context.error(
                failed.error,
                message: "Cannot commit offsets: \(KafkaError.Code(failed.error).explanation)",
                topic: failed.partition.topic,
                partition: failed.partition.partition
            )
        }
    }

    /// The committed offsets of the group, without the partitions that have none.
    ///
    /// - Throws: ``KafkaError`` if no coordinator answers in time.
    public func committedOffsets(
        of partitions: [TopicPartition],
        within timeout: Duration
    ) throws(KafkaError) -> [TopicPartition: Int64] {
        let list = TopicPartitionList(partitions)
        try check(
            rd_kafka_committed(handle.pointer, list.pointer, timeout.milliseconds),
            "Cannot request the committed offsets"
        )
        var offsets: [TopicPartition: Int64] = [:]
        for element in list.elements {
            try check(element.error, "Cannot request the committed offset of \(element.partition)")
            offsets[element.partition] = element.offset >= 0 ? element.offset : nil
        }
        return offsets
    }

    /// The texts that the group keeps with the committed offsets, without the empty ones.
    ///
    /// - Throws: ``KafkaError`` if no coordinator answers in time.
    public func committedMetadata(
        of partitions: [TopicPartition],
        within timeout: Duration
    ) throws(KafkaError) -> [TopicPartition: String] {
        let list = TopicPartitionList(partitions)
        try check(
            rd_kafka_committed(handle.pointer, list.pointer, timeout.milliseconds),
            "Cannot request the committed offsets"
        )
        return list.metadata
    }

    /// The watermarks of a partition, requested from its leader.
    ///
    /// - Throws: ``KafkaError`` if the partition does not exist or its leader does not answer in time.
    public func watermarks(of partition: TopicPartition, within timeout: Duration) throws(KafkaError) -> Watermarks {
        try handle.watermarks(of: partition, within: timeout)
    }

    /// The number of unread records of each assigned partition, from the last fetch. Sends no request.
    ///
    /// Without the partitions that were not fetched yet.
    public var lag: [TopicPartition: Int64] {
        var lag: [TopicPartition: Int64] = [:]
        for position in positions.resumptions {
            if case .offset(let next) = position.start,
                let high = handle.cachedHighWatermark(of: position.partition)
            {
                lag[position.partition] = max(high - next, 0)
            }
        }
        return lag
    }

    /// The offset of the next record of a partition; `nil` if it is not known yet, or the partition is not assigned.
    public func position(of partition: TopicPartition) -> Int64? {
        guard case .offset(let next) = positions.resumption(of: partition) else { return nil }
        return next
    }

    /// The cluster's unique id. Call it before ``subscribe(to:)`` and ``assign(_:)``.
    ///
    /// - Throws: ``KafkaError`` if no broker answers in time; with the code ``KafkaError/Code/authentication`` as soon as
    ///   a broker rejects the credentials.
    public func clusterID(within timeout: Duration) throws(KafkaError) -> String {
        let end = ContinuousClock.now + timeout
        while true {
            do throws(KafkaError) {
                return try handle.clusterID(within: min(end - .now, .milliseconds(200)))
            } catch  where error.isRetriable && .now < end {
                // Calls the callback for errors. There are no records yet.
                if let message = rd_kafka_consumer_poll(handle.pointer, 0) { rd_kafka_message_destroy(message) }
                for case .error(let error) in inbox.events where error.code == .authentication { throw error }
            }
        }
    }

    /// The number of partitions of a topic, or `nil` if it does not exist. The request does not create it.
    ///
    /// - Throws: ``KafkaError`` if no broker answers in time, or if the user may not describe the topic.
    public func partitionCount(of topic: String, within timeout: Duration) throws(KafkaError) -> Int? {
        try handle.partitionCount(of: topic, within: timeout)
    }

    /// The properties of a topic with their values, such as `message.timestamp.type`; `nil` if the broker is too old to
    /// return them.
    ///
    /// - Throws: ``KafkaError`` if the topic does not exist, the user has no right `DescribeConfigs`, or no broker
    ///   answers in time.
    public func topicConfiguration(
        of topic: String,
        within timeout: Duration
    ) throws(KafkaError) -> [String: String]? {
        try handle.describe(topic, within: timeout)
    }
}
