import CRDKafka
import Foundation
import Logging

/// Publishes records to Kafka, in order and without loss or repetition by retries.
///
/// Idempotent, `acks=all`, compressed with zstd, and partitioned by `murmur2_random` as Java clients do, unless the
/// configuration says otherwise; see ``defaults``. librdkafka runs on a thread of the producer's own.
///
/// ```swift
/// let producer = try Producer(configuration: KafkaConfiguration(bootstrapServers: "localhost:9092"))
/// let results = await producer.send([ProducerMessage(key: key, value: value)], to: "app-events")
/// let undelivered = await producer.close(within: .seconds(10))
/// ```
///
/// One call with many records is far cheaper than many calls with one.
public final class Producer: Sendable {
    /// What is set where the configuration says nothing.
    public static let defaults: KafkaConfiguration = [
        "enable.idempotence": "true",
        "acks": "all",
        "compression.codec": "zstd",
        "partitioner": "murmur2_random",
    ]

    private let inbox: ProducerInbox
    private let configuration: KafkaConfiguration
    private let logger: Logger
    private let onStatistics: (@Sendable (String) -> Void)?

    /// What the configuration comes to, for whoever is handed a producer and has to rely on it.
    public let guarantees: DeliveryGuarantees

    /// Creates a producer and starts its thread. Connections are made in the background, and made again when lost.
    ///
    /// - Parameters:
    ///   - configuration: Any of librdkafka's properties; `bootstrap.servers` is needed.
    ///   - logger: Gets librdkafka's lines.
    ///   - onStatistics: Gets librdkafka's statistics as JSON each `statistics.interval.ms`, on the producer's thread.
    /// - Throws: ``KafkaConfigurationError`` for a property that does not exist or has a wrong value.
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
        // The main queue is there for every client.
        let queue = WakeableQueue(rd_kafka_queue_get_main(handle.pointer), of: handle)
        inbox = ProducerInbox(wake: queue)
        let loop = ProducerLoop(handle: handle, inbox: inbox, metrics: KafkaProducerMetrics())
        let thread = Thread { loop.run() }
        thread.name = "kafka-producer"
        thread.start()
    }

    deinit {
        _ = inbox.put(.close(deadline: .now, done: nil))
    }

    /// Another producer with this one's settings: for who goes on after a fatal error (``KafkaError/isFatal``), after which
    /// a producer delivers nothing more.
    ///
    /// Close this one first: what it still has on its way would else come behind what the new one sends. What it answers
    /// with an error may have been delivered all the same, and stands in the topic twice where it is sent again.
    ///
    /// - Parameter overrides: Properties that are to be other than this producer's.
    /// - Throws: ``KafkaConfigurationError`` for an override that is wrong, and where librdkafka can make no client.
    public func makeSuccessor(overriding overrides: KafkaConfiguration = [:]) throws(KafkaConfigurationError)
        -> Producer
    {
        try Producer(
            configuration: overrides.withDefaults(configuration),
            logger: logger,
            onStatistics: onStatistics
        )
    }

    /// Hands records to librdkafka and returns as soon as it has them all, before they are delivered: for whoever has
    /// several batches on their way, in the order of the calls.
    ///
    /// Where librdkafka's queue (`queue.buffering.max.messages`, `queue.buffering.max.kbytes`) is full, the call waits
    /// for room, without blocking a thread of the caller's; nothing is ever dropped. A record fails after
    /// `message.timeout.ms`, which counts from when librdkafka took it. Cancellation does not take records back.
    nonisolated(nonsending) public func submit(_ batch: ProducerBatch, to topic: String) async -> DeliveryReceipt {
        let receipt = DeliveryReceipt()
        guard !batch.isEmpty else {
            receipt.settle(.nothing)
            return receipt
        }
        await withCheckedContinuation { continuation in
            put(InFlightBatch(batch, topic: topic, receipt: receipt, handedOver: continuation))
        }
        return receipt
    }

    /// Publishes records and waits until each is delivered or has failed; see ``submit(_:to:)``.
    ///
    /// - Returns: One result for each record, in their order.
    nonisolated(nonsending) public func send(
        _ batch: ProducerBatch,
        to topic: String
    ) async -> [Result<RecordMetadata, KafkaError>] {
        guard !batch.isEmpty else { return [] }
        // Whoever waits for the results need not be woken for the handing over, too.
        let receipt = DeliveryReceipt()
        put(InFlightBatch(batch, topic: topic, receipt: receipt, handedOver: nil))
        return await receipt.results()
    }

    private func put(_ batch: InFlightBatch) {
        guard inbox.put(.send(batch)) != nil else { return }
        batch.refuseAll(KafkaError(code: .closed, message: "The producer is closed", topic: batch.topic))
    }

    /// Publishes records and waits until each is delivered or has failed.
    nonisolated(nonsending) public func send(
        _ messages: [ProducerMessage],
        to topic: String
    ) async -> [Result<RecordMetadata, KafkaError>] {
        await send(ProducerBatch(messages), to: topic)
    }

    /// Publishes one record.
    ///
    /// - Throws: ``KafkaError`` where it could not be delivered.
    nonisolated(nonsending) public func send(
        _ message: ProducerMessage,
        to topic: String
    ) async throws(KafkaError) -> RecordMetadata {
        try await send(ProducerBatch(CollectionOfOne(message)), to: topic)[0].get()
    }

    /// Asks for no more lingering (`linger.ms`) over the records of all earlier calls. Does not wait for them.
    ///
    /// Cheap to ask for often: what is asked for while it goes on is done together.
    public func flush() {
        _ = inbox.put(.flush)
    }

    /// Takes no more records, delivers those it has, and ends the producer's thread.
    ///
    /// What is not delivered when the time is over is given up; its senders get ``KafkaError/Code/purgedFromQueue`` or
    /// ``KafkaError/Code/purgedInFlight``.
    ///
    /// - Returns: How much was given up. A second call returns the same.
    @discardableResult
    nonisolated(nonsending) public func close(within timeout: Duration) async -> UndeliveredRecords {
        await withCheckedContinuation { continuation in
            if let undelivered = inbox.put(.close(deadline: .now + timeout, done: continuation)) {
                continuation.resume(returning: undelivered)
            }
        }
    }
}
