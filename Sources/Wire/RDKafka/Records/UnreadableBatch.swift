import Logging

/// Finds the end of a batch that the client cannot read, so that its consumer can pass by it.
///
/// librdkafka reports only the first offset of such a batch, and a request for any offset of it returns the same batch
/// again. So this type requests one offset after another, with a consumer of its own that fetches nothing ahead: first
/// 1, 2, 4, … records further, then by bisection. A batch of a million records takes about 40 requests.
///
/// ```swift
/// case .unreadable(let partition, let offset, _):
///     let batch = UnreadableBatch(partition, offset: offset)
///     let end = try batch.end(from: position, configuration: configuration, within: .seconds(15))
///     try consumer.seek([PartitionStart(partition, at: .offset(end))])
/// ```
public struct UnreadableBatch: Sendable {
    private let partition: TopicPartition
    private let offset: Int64

    /// Creates the batch of ``ConsumerEvent/unreadable(_:offset:_:)``.
    public init(_ partition: TopicPartition, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }

    /// Returns the first offset after the batch. It blocks.
    ///
    /// - Parameters:
    ///   - position: the offset of the next record to read.
    ///   - configuration: the properties of the consumer that reported the batch: its limits decide what is readable.
    ///   - timeout: how long it may take.
    ///   - logger: logs librdkafka's lines.
    /// - Throws: ``KafkaError`` if the broker does not answer in time; ``KafkaConfigurationError``.
    public func end(
        from position: Int64,
        configuration: KafkaConfiguration,
        within timeout: Duration,
        logger: Logger = Logger(label: "kafka.consumer")
    ) throws -> Int64 {
        let deadline = ContinuousClock.now + timeout
        // One batch at a time: the broker returns a batch that is larger than the limit if it is the first one.
        var configuration = configuration
        for (property, value) in Self.oneBatch { configuration[property] = value }
        let consumer = try Consumer(configuration: configuration, groupID: nil, logger: logger)
        defer { consumer.close() }
        let high = try consumer.watermarks(of: partition, within: timeout).high
        return try Self.end(from: max(position, offset), high: high) { tried in
            try consumer.assign([PartitionStart(partition, at: .offset(tried))])
            return try isUnreadable(consumer, tried, until: deadline)
        }
    }

    private static let oneBatch = [
        "fetch.message.max.bytes": "1", "queued.min.messages": "1", "queued.max.messages.kbytes": "1",
        "fetch.error.backoff.ms": "10",
    ]

    /// Returns the first offset from which a request does not return the batch.
    ///
    /// - Parameters:
    ///   - first: an offset in the batch.
    ///   - high: the end of the partition.
    ///   - isInside: whether a request for an offset returns the batch.
    static func end(from first: Int64, high: Int64, isInside: (Int64) throws -> Bool) rethrows -> Int64 {
        var last = first
        var end = max(high, first + 1)
        var step: Int64 = 1
        while last + step < end {
            if try isInside(last + step) {
                last += step
                step *= 2
            } else {
                end = last + step
                break
            }
        }
        while last + 1 < end {
            let middle = last + (end - last) / 2
            if try isInside(middle) { last = middle } else { end = middle }
        }
        return end
    }

    /// Whether the first answer to a request for an offset is this batch.
    private func isUnreadable(
        _ consumer: Consumer,
        _ tried: Int64,
        until deadline: ContinuousClock.Instant
    ) throws -> Bool {
        var problem: KafkaError?
        while ContinuousClock.now < deadline {
            let poll = consumer.poll(maxRecords: 1, timeout: .milliseconds(100))
            if !poll.records.isEmpty { return false }
            for event in poll.events {
                switch event {
                case .unreadable(_, let found, _): return found == offset
                case .endOfPartition, .offsetOutOfRange: return false
                case .error(let error), .topicUnavailable(_, let error): problem = error
                case .fatal(let error): throw error
                case .assigned, .revoked, .lost, .commitFailed: break
                }
            }
        }
        throw problem
            ?? KafkaError(
                code: .timedOut,
                message: "The broker did not return offset \(tried) in time",
                topic: partition.topic,
                partition: partition.partition
            )
    }
}
