import CRDKafka

extension Consumer {
    /// The assigned partitions, in order.
    public var assignment: [TopicPartition] { positions.resumptions.map(\.partition) }

    /// Starts reading partitions. With a group, this is the answer to ``ConsumerEvent/assigned(_:)``.
    ///
    /// The partitions replace the current assignment. With the `cooperative-sticky` strategy they are added to it.
    ///
    /// - Throws: ``KafkaError`` if a partition is given twice, an offset is invalid, or the consumer is closed.
    public func assign(_ starts: [PartitionStart]) throws(KafkaError) {
        guard !isClosed else {
            throw KafkaError(code: .closed, message: "The consumer is closed")
        }
        if let invalid = starts.first(where: { if case .offset(let offset) = $0.start { offset < 0 } else { false } }) {
            throw KafkaError(
                code: .invalidArgument,
                message: "The offset to start at is negative: expected 0 or more",
                topic: invalid.partition.topic,
                partition: invalid.partition.partition
            )
        }
        let protocolOfGroup = GroupProtocol(handle.pointer)
        if protocolOfGroup == .eager {
            positions.stop(assignment)
        }
        // librdkafka keeps a pause over a new assignment. Nothing was fetched yet that resuming could lose.
        let wasPaused = paused
        paused = []
        resumeFetching(wasPaused)
        try start(starts, by: protocolOfGroup)
        inbox.unanswered = nil
    }

    /// Changes the positions of assigned partitions.
    ///
    /// All partitions fetch again what they had fetched ahead. librdkafka cannot seek in a partition that stopped
    /// because of an invalid offset, so this method assigns all partitions again.
    ///
    /// - Throws: ``KafkaError`` if a partition is not assigned.
    public func seek(_ starts: [PartitionStart]) throws(KafkaError) {
        if let invalid = starts.first(where: { !positions.isAssigned($0.partition) }) {
            throw KafkaError(
                code: .wrongState,
                message: "Cannot seek in a partition that is not assigned",
                topic: invalid.partition.topic,
                partition: invalid.partition.partition
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

    /// Stops fetching partitions until ``resume(_:)``. They keep their positions.
    ///
    /// - Throws: ``KafkaError`` if a partition is not assigned.
    public func pause(_ partitions: [TopicPartition]) throws(KafkaError) {
        if let invalid = partitions.first(where: { !positions.isAssigned($0) }) {
            throw KafkaError(
                code: .wrongState,
                message: "Cannot pause a partition that is not assigned",
                topic: invalid.topic,
                partition: invalid.partition
            )
        }
        let list = TopicPartitionList(partitions)
        try check(rd_kafka_pause_partitions(handle.pointer, list.pointer), "Cannot pause \(partitions)")
        paused.formUnion(partitions)
    }

    /// Fetches paused partitions again, from the record after the last one read. Does nothing for other partitions.
    ///
    /// - Throws: ``KafkaError`` if the consumer is closed.
    public func resume(_ partitions: [TopicPartition]) throws(KafkaError) {
        let resumed = paused.intersection(partitions)
        guard !resumed.isEmpty else { return }
        paused.subtract(resumed)
        resumeFetching(resumed)
        // If nothing was read before the pause, librdkafka would continue after the records that it had fetched and
        // discarded (`rd_kafka_toppar_pause_resume` in 2.0.2 without an application offset).
        try seek(
            resumed.compactMap { partition in
                positions.resumption(of: partition).map { PartitionStart(partition, at: $0) }
            }
        )
    }

    /// Gives back the partitions that the last poll reported as revoked or lost.
    func giveBackRevoked() {
        guard let revoked = inbox.revoked else { return }
        inbox.revoked = nil
        let list = TopicPartitionList(revoked)
        GroupProtocol(handle.pointer).revoke(list.pointer, of: handle.pointer)
        waitForStops()
        positions.stop(revoked)
        let wasPaused = paused.intersection(revoked)
        paused.subtract(wasPaused)
        resumeFetching(wasPaused)
    }

    private func start(_ starts: [PartitionStart], by protocolOfGroup: GroupProtocol) throws(KafkaError) {
        let list = TopicPartitionList(starts.map { (partition: $0.partition, offset: $0.start.rawOffset) })
        switch protocolOfGroup {
        case .eager:
            try check(rd_kafka_assign(handle.pointer, list.pointer), "Cannot start \(starts.map(\.partition))")
        case .cooperative:
            if let error = rd_kafka_incremental_assign(handle.pointer, list.pointer) {
                defer { rd_kafka_error_destroy(error) }
                try check(rd_kafka_error_code(error), "Cannot start \(starts.map(\.partition))")
            }
        }
        waitForStops()
        positions.start(starts)
    }

    /// Waits until librdkafka has stopped the partitions that an assignment has removed or replaced.
    ///
    /// librdkafka stops them later, on its main thread. If the next assignment comes before that, it stops them twice,
    /// and the second answer ends the process with an assertion, see
    /// [librdkafka #5573](https://github.com/confluentinc/librdkafka/issues/5573). A query of the assignment goes
    /// through the queue of that thread: the first one follows the requests to stop, and the second one their answers.
    private func waitForStops() {
        for _ in 0..<2 {
            var list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?
            rd_kafka_assignment(handle.pointer, &list)
            if let list { rd_kafka_topic_partition_list_destroy(list) }
        }
    }

    private func resumeFetching(_ partitions: Set<TopicPartition>) {
        guard !partitions.isEmpty else { return }
        let list = TopicPartitionList(partitions)
        rd_kafka_resume_partitions(handle.pointer, list.pointer)
    }
}
