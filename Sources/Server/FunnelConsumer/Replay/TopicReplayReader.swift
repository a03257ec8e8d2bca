import FlowEvents
import FunnelStore
import Funnels
import RDKafka
import Logging

/// Reads a topic into a ``TopicReplay``, from its first record to the offsets of a store. It joins no consumer group.
struct TopicReplayReader {
    let consumer: Consumer
    let kafka: KafkaConfiguration
    let topic: String
    let logger: Logger
    /// What to do if records are deleted while they are read, such as "verify again".
    let advice: String
    private let timeout = Duration.seconds(15)

    init(consumer: Consumer, kafka: KafkaConfiguration, topic: String, advice: String, logger: Logger) {
        self.consumer = consumer
        self.kafka = kafka
        self.topic = topic
        self.advice = advice
        self.logger = logger
    }

    /// Checks that the store has the counts of this cluster and topic.
    ///
    /// - Parameters:
    ///   - identity: the store's identity.
    ///   - progress: the store's progress.
    /// - Throws: `StoreError.otherData`, ``FunnelConsumerError``.
    func check(_ identity: StoreIdentity, _ progress: [PartitionProgress]) throws {
        let clusterID: String
        do throws(KafkaError) {
            clusterID = try consumer.clusterID(within: timeout)
        } catch {
            throw FunnelConsumerError.brokersUnreachable(error)
        }
        try StoreIdentity(clusterID: clusterID, topic: topic, funnels: identity.funnels)
            .check(against: identity, in: "the store")
        let count = try consumer.partitionCount(of: topic, within: timeout)
        try LastRecordCheck.checkPartitions(of: progress, topic: topic, count: count)
        try LastRecordCheck(kafka: kafka, logger: logger).check(progress, topic: topic)
    }

    /// Reads each partition from the replay's offset to the store's. It waits for brokers that do not answer.
    ///
    /// - Parameters:
    ///   - progress: the store's offsets.
    ///   - replay: counts the records.
    ///   - limit: how long it may take; `nil` for no limit.
    ///   - onProgress: called with the share of the records that is read, from 0 to 1.
    /// - Throws: `StoreError`, `KafkaError`, and any error of `onProgress`.
    func read(
        to progress: [PartitionProgress],
        _ replay: inout TopicReplay,
        within limit: Duration? = nil,
        onProgress: (Double) throws -> Void = { _ in }
    ) throws {
        let ends = Dictionary(uniqueKeysWithValues: progress.map { ($0.partition, $0.nextOffset) })
        var starts: [PartitionStart] = []
        var total: Int64 = 0
        for stored in progress {
            let topicPartition = TopicPartition(topic: topic, partition: stored.partition)
            let watermarks = try consumer.watermarks(of: topicPartition, within: timeout)
            guard stored.nextOffset <= watermarks.high else {
                throw StoreError.offset(
                    stored.nextOffset,
                    pastEnd: watermarks.high,
                    partition: stored.partition,
                    topic: topic
                )
            }
            replay.start(stored.partition, at: watermarks.low, stored)
            let position = replay.position(stored.partition)
            guard position < stored.nextOffset else { continue }
            starts.append(PartitionStart(topicPartition, at: .offset(position)))
            total += stored.nextOffset - position
        }
        guard !starts.isEmpty else { return }
        try consumer.assign(starts)
        var logThrottle = LogThrottle()
        let deadline = limit.map { ContinuousClock.now + $0 }
        while true {
            let left = ends.reduce(0) { $0 + max(0, $1.value - replay.position($1.key)) }
            try onProgress(1 - Double(left) / Double(total))
            if left == 0 { return }
            if let deadline, let limit, ContinuousClock.now > deadline {
                throw StoreError.unavailable(
                    "Kafka has not delivered the last \(left) records within \(limit): \(advice)"
                )
            }
            let poll = consumer.poll(timeout: .milliseconds(100))
            try poll.records.forEach { record in
                let end = ends[record.partition] ?? 0
                guard record.offset < end else { return replay.skip(record.partition, to: end) }
                try replay.count(
                    record.value ?? UnsafeRawBufferPointer(start: nil, count: 0),
                    timestamp: record.timestamp.milliseconds.map(Timestamp.init),
                    partition: record.partition,
                    offset: record.offset
                )
            }
            for event in poll.events { try handle(event, ends, &replay, &logThrottle) }
            logThrottle.limited("progress") {
                logger.info("reading", metadata: ["topic": "\(topic)", "records": "\(replay.recordCount)"])
            }
        }
    }

    private func handle(
        _ event: ConsumerEvent,
        _ ends: [Int32: Int64],
        _ replay: inout TopicReplay,
        _ logThrottle: inout LogThrottle
    ) throws {
        switch event {
        case .endOfPartition(let topicPartition, let offset):
            replay.skip(topicPartition.partition, to: min(offset, ends[topicPartition.partition] ?? offset))
        case .offsetOutOfRange(let topicPartition, _, _):
            throw StoreError.unavailable("records of \(topicPartition) were deleted while they were read: \(advice)")
        case .unreadable(let topicPartition, let offset, _):
            let end = ends[topicPartition.partition] ?? 0
            guard offset < end else { return replay.skip(topicPartition.partition, to: end) }
            let position = replay.position(topicPartition.partition)
            let batchEnd = try UnreadableBatch(topicPartition, offset: offset)
                .end(from: position, configuration: kafka, within: timeout, logger: logger)
            logger.warning(
                "these records cannot be read; they are left out",
                metadata: ["partition": "\(topicPartition.partition)", "from": "\(offset)", "to": "\(batchEnd)"]
            )
            replay.skipUnread(topicPartition.partition, from: max(position, offset), to: batchEnd)
            try consumer.seek([PartitionStart(topicPartition, at: .offset(batchEnd))])
        case .fatal(let error):
            throw error
        case .error(let error) where error.code == .topicAuthorizationFailed:
            throw FunnelConsumerError.kafka(error, right: "Read")
        case .error(let error), .topicUnavailable(_, let error):
            logThrottle.limited("\(error.code)") {
                logger.warning("Kafka: trying again", metadata: ["error": "\(error)"])
            }
        case .assigned, .revoked, .lost, .commitFailed:
            break
        }
    }
}
