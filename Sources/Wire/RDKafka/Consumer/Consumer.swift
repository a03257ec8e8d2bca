import CRDKafka
import Logging

/// Reads records from Kafka, each partition from exactly the position that its owner sets.
///
/// A consumer belongs to one thread, which makes all calls; only ``waker`` may be used on other threads. Every call may
/// block for its timeout, so the thread must not be one of Swift's cooperative pool.
///
/// ```swift
/// let consumer = try Consumer(configuration: configuration, groupID: "funnel-consumer")
/// try consumer.subscribe(to: ["app-events"])
/// while running {
///     let poll = consumer.poll(timeout: .milliseconds(100))
///     poll.records.forEach { record in … }
///     for case .assigned(let partitions) in poll.events {
///         try consumer.assign(partitions.map { PartitionStart($0, at: stored[$0] ?? .earliest) })
///     }
/// }
/// consumer.close()
/// ```
///
/// Only the owner sets positions. The consumer commits nothing by itself. If a partition does not have the offset, it
/// reports an event (``ConsumerEvent/offsetOutOfRange(_:offset:_:)``) and never skips records silently.
///
/// ## No stale records
///
/// librdkafka fetches ahead. Each assign, seek and pause increments the partition's version before the call returns,
/// and `rd_kafka_consumer_poll` discards fetched records of an older version. The batch functions do not do so reliably
/// in 2.0 ("Poor Consumer batch API messaging guarantees" in [its release
/// notes](https://github.com/confluentinc/librdkafka/releases/tag/v2.0.0)), so the consumer takes records one by one.
/// `PartitionPositions` is a second check, which also drops repeated records that versions before 2.4 deliver.
public final class Consumer {
    /// The default properties. A configuration overrides them.
    public static let defaults = KafkaConfiguration([
        "fetch.wait.max.ms": "100",
        // The queue is filled again before it is empty, see FetchAhead. So little can stay in the processor's cache until it
        // is read; with librdkafka's own 64 MiB and 1 MiB, a consumer that catches up takes more processor time and memory.
        "queued.max.messages.kbytes": "8192",
        "fetch.message.max.bytes": "262144",
        // The time until a new topic is noticed.
        "topic.metadata.refresh.interval.ms": "10000",
    ]).withDefaults(FetchAhead.defaults)

    /// The properties that the consumer sets itself. A configuration must not contain them.
    public static var reservedProperties: [String] { reserved.keys.sorted() }

    /// Why a configuration must not contain each of ``reservedProperties``.
    package static let reserved = [
        "auto.offset.reset": "the program decides what to do about an offset that does not exist",
        "enable.auto.commit": "the program commits the offsets",
        "enable.auto.offset.store": "the program commits the offsets",
        "enable.partition.eof": "the consumer reports the ends of partitions as events",
        "group.id": "it is an argument of the consumer's initializer",
    ]

    let handle: ClientHandle
    let inbox = ConsumerInbox()
    /// Whether the owner gave a group. librdkafka looks for the coordinator of a group even for a consumer without one.
    let hasGroup: Bool
    var positions = PartitionPositions()
    var paused: Set<TopicPartition> = []
    /// The topic of the last record and its number in ``positions``, which saves a lookup by name for each record.
    private var lastTopic: (pointer: OpaquePointer, number: Int)?
    private let metrics = KafkaConsumerMetrics()
    private let configuration: KafkaConfiguration
    let queue: WakeableQueue
    private var fetchAhead = FetchAhead()
    private(set) var isClosed = false

    /// Ends the wait of a poll from another thread or a signal handler's task.
    public let waker: ConsumerWaker

    /// Creates a consumer. It connects in the background, and reconnects after a connection is lost.
    ///
    /// - Parameters:
    ///   - configuration: librdkafka properties, without the ones in ``reservedProperties``.
    ///   - groupID: the consumer group; `nil` for a consumer that assigns partitions itself and commits nothing.
    ///   - logger: logs librdkafka's lines.
    ///   - onStatistics: called with librdkafka's statistics as JSON every `statistics.interval.ms`, on the owner's
    ///     thread.
    /// - Throws: ``KafkaConfigurationError`` for a property that does not exist, has an invalid value, or is reserved. With a
    ///   group, also for a `partition.assignment.strategy` that this librdkafka can crash or hang with.
    public init(
        configuration: KafkaConfiguration,
        groupID: String?,
        logger: Logger = Logger(label: "kafka.consumer"),
        onStatistics: (@Sendable (String) -> Void)? = nil
    ) throws(KafkaConfigurationError) {
        try configuration.refuse(Self.reserved)
        if groupID != nil { try configuration.refuseUnsafeStrategy() }
        guard groupID?.isEmpty != true else {
            let explanation = "the name of the consumer group is empty"
            throw KafkaConfigurationError(code: .invalidValue, property: "group.id", explanation: explanation)
        }
        hasGroup = groupID != nil
        var configuration = configuration.withDefaults(Self.defaults)
        // librdkafka requires a group. A consumer that never joins it leaves no trace on the brokers.
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
        self.configuration = configuration
        // Not nil, because the consumer has a group.
        queue = WakeableQueue(rd_kafka_queue_get_consumer(handle.pointer), of: handle)
        waker = ConsumerWaker(queue)
    }

    deinit {
        close()
    }

    /// Joins the group for these topics. A later poll reports the assigned partitions.
    ///
    /// - Throws: ``KafkaError`` if a name is invalid or the consumer is closed.
    public func subscribe(to topics: [String]) throws(KafkaError) {
        let list = TopicPartitionList(topics.map { TopicPartition(topic: $0, partition: RD_KAFKA_PARTITION_UA) })
        try check(rd_kafka_subscribe(handle.pointer, list.pointer), "Cannot subscribe to \(topics)")
    }

    /// Returns the next records and events. Waits for the first one.
    ///
    /// First gives back the partitions that the last poll reported as revoked.
    ///
    /// - Parameters:
    ///   - maxRecords: the maximum number of records, at least 1. A poll, its reader and ``RecordBatch`` touch each record
    ///     in turn. The default is small enough for all of them to stay in a processor's cache.
    ///   - timeout: the time to wait for the first record or event. The poll does not wait for more.
    public func poll(maxRecords: Int = 500, timeout: Duration) -> ConsumerPoll {
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
        if !FetchAhead.hasProperty, fetchAhead.needsWake(length: queue.length) {
            handle.wakeConnections(configuration)
        }
        let poll = ConsumerPoll(
            records: RecordBatch(messages, of: handle),
            events: events,
            isFull: messages.count == maxRecords
        )
        metrics.record(poll, stale: stale)
        return poll
    }

    /// Gives all partitions back, leaves the group and closes the consumer. Later polls return nothing.
    ///
    /// Blocks until the brokers have answered, at most for `session.timeout.ms`.
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
