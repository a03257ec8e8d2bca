import CRDKafka

extension Consumer {
    /// The partitions that are read now, in order.
    public var assignment: [TopicPartition] { positions.resumptions.map(\.partition) }

    /// Starts partitions: answers ``ConsumerEvent/assigned(_:)``, or without a group says what to read.
    ///
    /// Replaces what was assigned before, but with `cooperative-sticky`, where it adds.
    ///
    /// - Throws: ``KafkaError`` where a partition stands twice, an offset is not allowed, or the consumer is closed.
    public func assign(_ starts: [PartitionStart]) throws(KafkaError) {
        guard !isClosed else {
            throw KafkaError(code: .closed, message: "The consumer is closed")
        }
        if let wrong = starts.first(where: { if case .offset(let offset) = $0.start { offset < 0 } else { false } }) {
            throw KafkaError(
                code: .invalidArgument,
                message: "An offset to start at is 0 or more",
                topic: wrong.partition.topic,
                partition: wrong.partition.partition
            )
        }
        let protocolOfGroup = GroupProtocol(handle.pointer)
        if protocolOfGroup == .eager {
            positions.stop(assignment)
        }
        // librdkafka remembers a pause beyond the assignment. Nothing has been fetched yet that resuming could lose.
        let wasPaused = paused
        paused = []
        resumeFetching(wasPaused)
        try start(starts, by: protocolOfGroup)
        inbox.unanswered = nil
    }

    /// Goes on reading assigned partitions elsewhere.
    ///
    /// Records that were fetched ahead, of all partitions, are fetched again: librdkafka can't seek a partition that
    /// has stopped because of its offset, so that all are assigned anew.
    ///
    /// - Throws: ``KafkaError`` where a partition is not assigned.
    public func seek(_ starts: [PartitionStart]) throws(KafkaError) {
        if let wrong = starts.first(where: { !positions.isAssigned($0.partition) }) {
            throw KafkaError(
                code: .wrongState,
                message: "A partition that is not assigned can't be sought in",
                topic: wrong.partition.topic,
                partition: wrong.partition.partition
            )
        }
        let protocolOfGroup = GroupProtocol(handle.pointer)
        let sought = Dictionary(starts.map { ($0.partition, $0) }) { _, last in last }
        switch protocolOfGroup {
        case .eager:
            let all = positions.resumptions.map { sought[$0.partition] ?? $0 }
            try start(all, by: protocolOfGroup)
        case .cooperative:
            let list = TopicPartitionList(sought.keys)
            protocolOfGroup.revoke(list.pointer, of: handle.pointer)
            try start(Array(sought.values), by: protocolOfGroup)
        }
    }

    /// Stops fetching partitions until they are resumed. Their position stays.
    ///
    /// - Throws: ``KafkaError`` where a partition is not assigned.
    public func pause(_ partitions: [TopicPartition]) throws(KafkaError) {
        if let wrong = partitions.first(where: { !positions.isAssigned($0) }) {
            throw KafkaError(
                code: .wrongState,
                message: "A partition that is not assigned can't be paused",
                topic: wrong.topic,
                partition: wrong.partition
            )
        }
        let list = TopicPartitionList(partitions)
        try check(rd_kafka_pause_partitions(handle.pointer, list.pointer), "Can't pause \(partitions)")
        paused.formUnion(partitions)
    }

    /// Fetches paused partitions again, from the record after the last one read; others are left as they are.
    ///
    /// - Throws: ``KafkaError`` where the consumer is closed.
    public func resume(_ partitions: [TopicPartition]) throws(KafkaError) {
        let resumed = paused.intersection(partitions)
        guard !resumed.isEmpty else { return }
        paused.subtract(resumed)
        resumeFetching(resumed)
        // Where nothing had been read before the pause, librdkafka would go on after what it had fetched and thrown away
        // (`rd_kafka_toppar_pause_resume` in 2.0.2 without an application offset).
        try seek(
            resumed.compactMap { partition in
                positions.resumption(of: partition).map { PartitionStart(partition, at: $0) }
            }
        )
    }

    /// Gives back what the last poll said was revoked.
    func giveBackRevoked() {
        guard let revoked = inbox.revoked else { return }
        inbox.revoked = nil
        let list = TopicPartitionList(revoked)
        GroupProtocol(handle.pointer).revoke(list.pointer, of: handle.pointer)
        positions.stop(revoked)
        let wasPaused = paused.intersection(revoked)
        paused.subtract(wasPaused)
        resumeFetching(wasPaused)
    }

    private func start(_ starts: [PartitionStart], by protocolOfGroup: GroupProtocol) throws(KafkaError) {
        let list = TopicPartitionList(starts.map { (partition: $0.partition, offset: $0.start.rawOffset) })
        switch protocolOfGroup {
        case .eager:
            try check(rd_kafka_assign(handle.pointer, list.pointer), "Can't start \(starts.map(\.partition))")
        case .cooperative:
            if let error = rd_kafka_incremental_assign(handle.pointer, list.pointer) {
                defer { rd_kafka_error_destroy(error) }
                try check(rd_kafka_error_code(error), "Can't start \(starts.map(\.partition))")
            }
        }
        positions.start(starts)
    }

    private func resumeFetching(_ partitions: Set<TopicPartition>) {
        guard !partitions.isEmpty else { return }
        let list = TopicPartitionList(partitions)
        rd_kafka_resume_partitions(handle.pointer, list.pointer)
    }
}
