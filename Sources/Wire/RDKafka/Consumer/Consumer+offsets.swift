import CRDKafka

extension Consumer {
    /// Tells the group how far partitions were read: the offset of the next record of each.
    ///
    /// For those who watch the group's lag; this consumer does not start from it. A failure is an event of a later
    /// poll.
    ///
    /// - Throws: ``KafkaError`` where the commit can't even be tried.
    public func commit(_ offsets: [TopicPartition: Int64]) throws(KafkaError) {
        guard !offsets.isEmpty else { return }
        let list = TopicPartitionList(offsets.map { (partition: $0.key, offset: $0.value) })
        try check(rd_kafka_commit(handle.pointer, list.pointer, 1), "Can't commit offsets")
    }

    /// The same as ``commit(_:)``, and waits for the broker's answer.
    ///
    /// - Throws: ``KafkaError`` where the broker refuses, or does not answer in time.
    public func commit(_ offsets: [TopicPartition: Int64], within timeout: Duration) throws(KafkaError) {
        guard !offsets.isEmpty else { return }
        let list = TopicPartitionList(offsets.map { (partition: $0.key, offset: $0.value) })
        let answers = rd_kafka_queue_new(handle.pointer)
        defer { rd_kafka_queue_destroy(answers) }
        try check(rd_kafka_commit_queue(handle.pointer, list.pointer, answers, nil, nil), "Can't commit offsets")
        guard let answer = rd_kafka_queue_poll(answers, timeout.milliseconds) else {
            throw handle.context.error(RD_KAFKA_RESP_ERR__TIMED_OUT, message: "No answer to a commit of offsets")
        }
        defer { rd_kafka_event_destroy(answer) }
        try check(rd_kafka_event_error(answer), "Can't commit offsets")
        let partitions = TopicPartitionList.elements(of: rd_kafka_event_topic_partition_list(answer))
        if let failed = partitions.first(where: { $0.error != RD_KAFKA_RESP_ERR_NO_ERROR }) {
            throw handle.context.error(
                failed.error,
                message: "Can't commit offsets: \(KafkaError.Code(failed.error).explanation)",
                topic: failed.partition.topic,
                partition: failed.partition.partition
            )
        }
    }

    /// What the group has committed; partitions without a commit are left out.
    ///
    /// - Throws: ``KafkaError`` where no coordinator answers in time.
    public func committedOffsets(
        of partitions: [TopicPartition],
        within timeout: Duration
    ) throws(KafkaError) -> [TopicPartition: Int64] {
        let list = TopicPartitionList(partitions)
        try check(
            rd_kafka_committed(handle.pointer, list.pointer, timeout.milliseconds),
            "Can't ask for committed offsets"
        )
        var offsets: [TopicPartition: Int64] = [:]
        for element in list.elements {
            try check(element.error, "Can't ask for the committed offset of \(element.partition)")
            offsets[element.partition] = element.offset >= 0 ? element.offset : nil
        }
        return offsets
    }

    /// The first offset of a partition and the one after its last, asked from its leader.
    ///
    /// - Throws: ``KafkaError`` where the partition does not exist or its leader does not answer in time.
    public func watermarks(of partition: TopicPartition, within timeout: Duration) throws(KafkaError) -> Watermarks {
        try handle.watermarks(of: partition, within: timeout)
    }

    /// How many records each assigned partition still has to read, as far as fetched responses told; asks no one.
    ///
    /// Partitions of which nothing was fetched yet are left out.
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

    /// The offset of the next record of an assigned partition; `nil` where it is not known yet, or not assigned.
    public func position(of partition: TopicPartition) -> Int64? {
        guard case .offset(let next) = positions.resumption(of: partition) else { return nil }
        return next
    }

    /// The cluster's id, which tells a cluster from every other.
    ///
    /// - Throws: ``KafkaError`` where no broker answers in time.
    public func clusterID(within timeout: Duration) throws(KafkaError) -> String {
        try handle.clusterID(within: timeout)
    }

    /// The number of partitions of a topic, or `nil` where it does not exist. Asking does not create it.
    ///
    /// - Throws: ``KafkaError`` where no broker answers in time.
    public func partitionCount(of topic: String, within timeout: Duration) throws(KafkaError) -> Int? {
        try handle.partitionCount(of: topic, within: timeout)
    }
}
