import FlowEvents
import FunnelStore
import Funnels
import RDKafka
import Logging

/// Reads a topic into a ``TopicReplay``, from what it still has up to where a store stands. It is in no group.
struct TopicReplayReader {
    let consumer: Consumer
    let topic: String
    let logger: Logger
    /// What to do where records go while they are read: "verify again".
    let wayOut: String
    private let timeout = Duration.seconds(15)

    init(consumer: Consumer, topic: String, wayOut: String, logger: Logger) {
        self.consumer = consumer
        self.topic = topic
        self.wayOut = wayOut
        self.logger = logger
    }

    /// Checks that the store belongs to the cluster and the topic.
    ///
    /// - Throws: `StoreError.otherData`, ``FunnelConsumerError``.
    func check(_ identity: StoreIdentity) throws {
        let clusterID: String
        do throws(KafkaError) {
            clusterID = try consumer.clusterID(within: timeout)
        } catch {
            throw FunnelConsumerError.brokersUnreachable(error)
        }
        try StoreIdentity(clusterID: clusterID, topic: topic, funnels: identity.funnels)
            .check(against: identity, in: "the store")
    }

    /// Reads each partition from where the replay stands up to where the store does.
    ///
    /// - Parameters:
    ///   - limit: how long it may take; `nil` for any time. Brokers that are away are waited for.
    ///   - onProgress: is told how much of this reading is done, from 0 to 1.
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
            let place = TopicPartition(topic: topic, partition: stored.partition)
            let watermarks = try consumer.watermarks(of: place, within: timeout)
            guard stored.nextOffset <= watermarks.high else {
                throw StoreError.otherData(
                    """
                    the store has read partition \(stored.partition) of topic \(topic) up to offset \
                    \(stored.nextOffset), but the partition ends at \(watermarks.high): the topic was deleted and made anew
                    """
                )
            }
            replay.begin(stored.partition, at: watermarks.low, watermark: stored.watermark)
            let position = replay.position(stored.partition)
            guard position < stored.nextOffset else { continue }
            starts.append(PartitionStart(place, at: .offset(position)))
            total += stored.nextOffset - position
        }
        guard !starts.isEmpty else { return }
        try consumer.assign(starts)
        var notices = Notices()
        let deadline = limit.map { ContinuousClock.now + $0 }
        while true {
            let left = ends.reduce(0) { $0 + max(0, $1.value - replay.position($1.key)) }
            try onProgress(1 - Double(left) / Double(total))
            if left == 0 { return }
            if let deadline, let limit, ContinuousClock.now > deadline {
                throw StoreError.unavailable("Kafka has not given the last \(left) records within \(limit): \(wayOut)")
            }
            let poll = consumer.poll(timeout: .milliseconds(100))
            try poll.records.forEach { record in
                let end = ends[record.partition] ?? 0
                guard record.offset < end else { return replay.skip(record.partition, to: end) }
                try replay.take(
                    record.value ?? UnsafeRawBufferPointer(start: nil, count: 0),
                    timestamp: record.timestamp.milliseconds.map(Timestamp.init),
                    partition: record.partition,
                    offset: record.offset
                )
            }
            for event in poll.events { try handle(event, ends, &replay, &notices) }
            notices.limited("progress") {
                logger.info("reading", metadata: ["topic": "\(topic)", "records": "\(replay.recordCount)"])
            }
        }
    }

    private func handle(
        _ event: ConsumerEvent,
        _ ends: [Int32: Int64],
        _ replay: inout TopicReplay,
        _ notices: inout Notices
    ) throws {
        switch event {
        case .endOfPartition(let place, let offset):
            replay.skip(place.partition, to: min(offset, ends[place.partition] ?? offset))
        case .offsetOutOfRange(let place, _, _):
            throw StoreError.unavailable("records of \(place) were deleted while they were read: \(wayOut)")
        case .fatal(let error):
            throw error
        case .error(let error), .topicUnavailable(_, let error):
            notices.limited("\(error.code)") {
                logger.warning("Kafka: trying again", metadata: ["error": "\(error)"])
            }
        case .assigned, .revoked, .lost, .commitFailed:
            break
        }
    }
}
