import CRDKafka
import Logging

/// Reads records from Kafka, each partition exactly from where its owner says.
///
/// It belongs to one thread, which calls everything on it; only ``waker`` goes elsewhere. Every call may block for as
/// long as it says, so that thread must not be one of Swift's cooperative pool.
///
/// ```swift
/// let consumer = try Consumer(configuration: configuration, groupID: "funnel-consumer")
/// try consumer.subscribe(to: ["app-events"])
/// while running {
///     let poll = consumer.poll(maxRecords: 10_000, timeout: .milliseconds(100))
///     poll.records.forEach { record in … }
///     for case .assigned(let partitions) in poll.events {
///         try consumer.assign(partitions.map { PartitionStart($0, at: stored[$0] ?? .earliest) })
///     }
/// }
/// consumer.close()
/// ```
///
/// Positions come from the owner alone: nothing is committed unless asked for, and an offset that the partition does
/// not have is an event (``ConsumerEvent/offsetOutOfRange(_:offset:_:)``), never a silent jump.
///
/// ## No stale record
///
/// librdkafka fetches ahead. Each assign, seek and pause raises the partition's version before the call returns, and
/// `rd_kafka_consumer_poll` discards every fetched record of an older version when it takes it from the queue. The
/// batch functions do not do so reliably in 2.0 ("Poor Consumer batch API messaging guarantees" in
/// [its release notes](https://github.com/confluentinc/librdkafka/releases/tag/v2.0.0)), so records are taken one by
/// one. ``PartitionPositions`` is a second check, and makes up for repeats that versions before 2.4 let through.
public final class Consumer {
    /// What is set where the configuration says nothing.
    public static let defaults: KafkaConfiguration = [
        "fetch.wait.max.ms": "100",
        // Where so much is waiting, librdkafka fetches no more, and looks whether it has become less only a second later:
        // this lasts for that second. Its own values are a tenth and a quarter of it.
        "queued.min.messages": "1000000",
        "queued.max.messages.kbytes": "262144",
        // A topic that is created later is noticed within this time.
        "topic.metadata.refresh.interval.ms": "10000",
    ]

    /// The properties that the consumer sets itself: a configuration that has one is refused.
    public static var reservedProperties: [String] { reserved.keys.sorted() }

    private static let reserved = [
        "auto.offset.reset": "the consumer's owner decides what to do about an offset that is not there",
        "enable.auto.commit": "offsets are committed when the consumer's owner says so",
        "enable.auto.offset.store": "offsets are committed when the consumer's owner says so",
        "enable.partition.eof": "the ends of partitions are events of the consumer",
        "group.id": "it is an argument of the consumer",
    ]

    let handle: ClientHandle
    let inbox = ConsumerInbox()
    var positions = PartitionPositions()
    var paused: Set<TopicPartition> = []
    /// The topic of the last record and its number in ``positions``, so that a record costs no look-up by name.
    private var lastTopic: (pointer: OpaquePointer, number: Int)?
    private let metrics = KafkaConsumerMetrics()
    private(set) var isClosed = false

    /// Wakes a poll from another thread or a signal handler's task.
    public let waker: ConsumerWaker

    /// Creates a consumer. Connections are made in the background, and made again when lost.
    ///
    /// - Parameters:
    ///   - configuration: Any of librdkafka's properties but those that the consumer sets itself (`group.id`,
    ///     `auto.offset.reset`, `enable.auto.commit`, `enable.auto.offset.store`).
    ///   - groupID: The consumer group, or `nil` for a reader that only assigns partitions itself and commits nothing.
    ///   - logger: Gets librdkafka's lines.
    ///   - onStatistics: Gets librdkafka's statistics as JSON each `statistics.interval.ms`, on the owner's thread.
    /// - Throws: ``KafkaConfigurationError`` for a property that does not exist or has a wrong value.
    public init(
        configuration: KafkaConfiguration,
        groupID: String?,
        logger: Logger = Logger(label: "kafka.consumer"),
        onStatistics: (@Sendable (String) -> Void)? = nil
    ) throws(KafkaConfigurationError) {
        try configuration.refuse(Self.reserved)
        var configuration = configuration.withDefaults(Self.defaults)
        // librdkafka wants a group of everyone; one that never joins leaves no trace on the brokers.
        configuration["group.id"] = groupID ?? "kafka-reader-without-group"
        configuration["auto.offset.reset"] = "error"
        configuration["enable.partition.eof"] = "true"
        configuration["enable.auto.commit"] = "false"
        configuration["enable.auto.offset.store"] = "false"
        let context = ConsumerContext(
            configuration: configuration,
            logger: logger,
            onStatistics: onStatistics,
            inbox: inbox
        )
        handle = try ClientHandle(
            RD_KAFKA_CONSUMER,
            configuration: configuration,
            context: context,
            configure: ConsumerContext.setCallbacks
        )
        rd_kafka_poll_set_consumer(handle.pointer)
        // Every consumer with a group has this queue.
        waker = ConsumerWaker(WakeableQueue(rd_kafka_queue_get_consumer(handle.pointer), of: handle))
    }

    deinit {
        close()
    }

    /// Joins the group for these topics. Which partitions that brings is an event of a later poll.
    ///
    /// - Throws: ``KafkaError`` where a name is not allowed or the consumer is closed.
    public func subscribe(to topics: [String]) throws(KafkaError) {
        let list = TopicPartitionList(topics.map { TopicPartition(topic: $0, partition: RD_KAFKA_PARTITION_UA) })
        try check(rd_kafka_subscribe(handle.pointer, list.pointer), "Can't subscribe to \(topics)")
    }

    /// Waits for records or events.
    ///
    /// Partitions whose revocation the last poll told are given back first.
    ///
    /// - Parameters:
    ///   - maxRecords: At most this many; more than 0.
    ///   - timeout: How long to wait for the first; what has come is returned without waiting for more.
    public func poll(maxRecords: Int = 10_000, timeout: Duration) -> ConsumerPoll {
        giveBackRevoked()
        var messages: [UnsafeMutablePointer<rd_kafka_message_t>] = []
        var stale = 0
        var wait = inbox.unanswered == nil ? timeout.milliseconds : 0
        while messages.count < maxRecords, inbox.events.isEmpty,
            let message = rd_kafka_consumer_poll(handle.pointer, wait)
        {
            wait = 0
            if message.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR {
                if isNext(message) {
                    messages.append(message)
                } else {
                    stale += 1
                    rd_kafka_message_destroy(message)
                }
            } else {
                inbox.events.append(contentsOf: event(of: message))
                rd_kafka_message_destroy(message)
            }
        }
        var events = inbox.events
        inbox.events = []
        if let unanswered = inbox.unanswered {
            events.append(.assigned(unanswered))
            if unanswered.isEmpty {
                try? assign([])
            }
        }
        let poll = ConsumerPoll(records: RecordBatch(messages, of: handle), events: events)
        metrics.record(poll, stale: stale)
        return poll
    }

    /// Leaves the group, gives all partitions back, and ends. Polls return nothing from then on.
    ///
    /// Takes as long as the brokers take to hear of it, and no longer than `session.timeout.ms`.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        inbox.isClosing = true
        waker.close()
        let code = rd_kafka_consumer_close(handle.pointer)
        if code != RD_KAFKA_RESP_ERR_NO_ERROR {
            handle.context.logger.warning("Kafka consumer did not close cleanly: \(handle.context.error(code))")
        }
    }

    private func isNext(_ message: UnsafeMutablePointer<rd_kafka_message_t>) -> Bool {
        guard let topic = message.pointee.rkt else { return false }
        if lastTopic?.pointer != topic {
            lastTopic = (topic, positions.number(of: String(cString: rd_kafka_topic_name(topic))))
        }
        guard let number = lastTopic?.number else { return false }
        return positions.accept(topic: number, partition: message.pointee.partition, offset: message.pointee.offset)
    }

    func check(_ code: rd_kafka_resp_err_t, _ what: @autoclosure () -> String) throws(KafkaError) {
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        throw handle.context.error(code, message: "\(what()): \(KafkaError.Code(code).explanation)")
    }
}
