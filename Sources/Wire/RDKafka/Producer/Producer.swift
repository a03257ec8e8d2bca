import CRDKafka
import Foundation
import Logging

/// Publishes records to Kafka in order. Its retries neither lose nor repeat records.
///
/// A producer is idempotent, uses `acks=all`, compresses with zstd, and partitions by `murmur2_random` as Java clients
/// do, unless the configuration overrides ``defaults``. librdkafka runs on a thread of the producer's own.
///
/// ```swift
/// let producer = try Producer(configuration: KafkaConfiguration(bootstrapServers: "localhost:9092"))
/// let results = await producer.send([ProducerMessage(key: key, value: value)], to: "app-events")
/// let undelivered = await producer.close(within: .seconds(10))
/// ```
///
/// One call with many records costs far less than many calls with one record.
public final class Producer: Sendable {
    /// The default properties. A configuration overrides them.
    public static let defaults: KafkaConfiguration = [
        "enable.idempotence": "true",
        "acks": "all",
        "compression.codec": "zstd",
        "partitioner": "murmur2_random",
    ]

    private let inbox: ProducerInbox
    private let closed = Promise<UndeliveredRecords>()
    private let configuration: KafkaConfiguration
    private let logger: Logger
    private let onStatistics: (@Sendable (String) -> Void)?

    /// The delivery settings that the configuration resolves to, for code that receives a producer and depends on them.
    public let guarantees: DeliveryGuarantees

    /// Creates a producer and starts its thread. It connects in the background, and reconnects after a connection is
    /// lost.
    ///
    /// - Parameters:
    ///   - configuration: librdkafka properties; `bootstrap.servers` is required.
    ///   - logger: logs librdkafka's lines.
    ///   - onStatistics: called with librdkafka's statistics as JSON every `statistics.interval.ms`, on the producer's
    ///     thread.
    /// - Throws: ``KafkaConfigurationError`` for a property that does not exist or has an invalid value.
    public init(
        configuration: KafkaConfiguration,
        logger: Logger = Logger(label: "kafka.producer"),
        onStatistics: (@Sendable (String) -> Void)? = nil
    ) throws(KafkaConfigurationError) {
        let configuration = configuration.withDefaults(Self.defaults)
        let context = ClientContext(configuration: configuration, logger: logger, onStatistics: onStatistics)
        let handle = try ClientHandle(RD_KAFKA_PRODUCER, configuration: configuration, context: context) { settings in
            rd_kafka_conf_set_dr_msg_cb(settings) { _, message, _ in
                guard let message else { return }
                DeliveryLedger.report(message)
            }
            rd_kafka_conf_set_error_cb(settings) { _, code, reason, opaque in
                let reason = reason.map { String(cString: $0) } ?? ""
                ClientContext.of(opaque)?.logger.debug(
                    "\(reason)",
                    metadata: ["code": "\(KafkaError.Code(rd_kafka_resp_err_t(code)).name)"]
                )
            }
        }
        self.configuration = configuration
        self.logger = logger
        self.onStatistics = onStatistics
        guarantees = DeliveryGuarantees(of: handle)
        // Every client has a main queue.
        let queue = WakeableQueue(rd_kafka_queue_get_main(handle.pointer), of: handle)
        inbox = ProducerInbox(queue: queue)
        let loop = ProducerLoop(handle: handle, inbox: inbox, closed: closed, metrics: KafkaProducerMetrics())
        let thread = Thread { loop.run() }
        thread.name = "kafka-producer"
        thread.start()
    }

    deinit {
        inbox.put(.close(deadline: .now))
    }

    /// Creates a producer with the same settings, to continue after a fatal error (``KafkaError/isFatal``). After a
    /// fatal error a producer delivers nothing more.
    ///
    /// Close this producer first: otherwise its remaining records may arrive after those of the new producer. A record
    /// that it answers with an error may have been delivered all the same; if you send it again, the topic has it
    /// twice.
    ///
    /// - Parameter overrides: properties that replace those of this producer.
    /// - Throws: ``KafkaConfigurationError`` for an invalid override, and if librdkafka cannot create a client.
    public func makeSuccessor(overriding overrides: KafkaConfiguration = [:]) throws(KafkaConfigurationError)
        -> Producer
    {
        try Producer(
            configuration: overrides.withDefaults(configuration),
            logger: logger,
            onStatistics: onStatistics
        )
    }

    /// Hands a batch to librdkafka and returns before the records are delivered. With it a caller can have several
    /// batches in delivery, in the order of the calls.
    ///
    /// If librdkafka's queue (`queue.buffering.max.messages`, `queue.buffering.max.kbytes`) is full, the call waits for
    /// room, without blocking a thread of the caller. No record is dropped. A record fails after `message.timeout.ms`,
    /// which counts from the time when librdkafka accepted it. Canceling the task does not withdraw records.
    nonisolated(nonsending) public func submit(_ batch: ProducerBatch, to topic: String) async -> DeliveryReceipt {
        let receipt = DeliveryReceipt()
        guard !batch.isEmpty else {
            receipt.settle(.empty)
            return receipt
        }
        let handover = Promise<Void>()
        put(InFlightBatch(batch, topic: topic, receipt: receipt, handover: handover))
        await handover.value()
        return receipt
    }

    /// Publishes a batch, and waits until each record is delivered or has failed; see ``submit(_:to:)``.
    ///
    /// - Returns: one result for each record, in the order of the batch.
    nonisolated(nonsending) public func send(
        _ batch: ProducerBatch,
        to topic: String
    ) async -> [Result<RecordMetadata, KafkaError>] {
        guard !batch.isEmpty else { return [] }
        // Without a handover: the sender waits for the results, and resuming it twice would cost time.
        let receipt = DeliveryReceipt()
        put(InFlightBatch(batch, topic: topic, receipt: receipt, handover: nil))
        return await receipt.results()
    }

    private func put(_ batch: InFlightBatch) {
        guard !inbox.put(.send(batch)) else { return }
        batch.refuseAll(KafkaError(code: .closed, message: "The producer is closed", topic: batch.topic))
    }

    /// Publishes records, and waits until each is delivered or has failed.
    nonisolated(nonsending) public func send(
        _ messages: [ProducerMessage],
        to topic: String
    ) async -> [Result<RecordMetadata, KafkaError>] {
        await send(ProducerBatch(messages), to: topic)
    }

    /// Publishes one record, and waits until it is delivered.
    ///
    /// - Throws: ``KafkaError`` if it was not delivered.
    nonisolated(nonsending) public func send(
        _ message: ProducerMessage,
        to topic: String
    ) async throws(KafkaError) -> RecordMetadata {
        try await send(ProducerBatch(CollectionOfOne(message)), to: topic)[0].get()
    }

    /// Ends the lingering (`linger.ms`) of the records of all earlier calls. Does not wait until they are delivered.
    ///
    /// Frequent calls are cheap: calls during a flush are combined.
    public func flush() {
        inbox.put(.flush)
    }

    /// Closes the producer: refuses new records, delivers the current ones, and ends the producer's thread.
    ///
    /// Records that are not delivered within the timeout are dropped; their senders get
    /// ``KafkaError/Code/purgedFromQueue`` or ``KafkaError/Code/purgedInFlight``.
    ///
    /// - Returns: the number of dropped records. A second call returns the same.
    @discardableResult
    nonisolated(nonsending) public func close(within timeout: Duration) async -> UndeliveredRecords {
        inbox.put(.close(deadline: .now + timeout))
        return await closed.value()
    }
}
