import FlowEvents
import Logging
import RDKafka

/// Publishes events to a topic, like the sink of an app, with a few batches in delivery at a time.
struct EventPublisher {
    private let producer: Producer
    private let topic: String
    private var batch = ProducerBatch()
    private var receipts: [DeliveryReceipt] = []
    private(set) var count = 0
    private(set) var byteCount = 0

    init(bootstrapServers: String, topic: String, linger: Int) throws {
        var logger = Logger(label: "funnel-bench") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        var configuration = KafkaConfiguration(bootstrapServers: bootstrapServers)
        configuration["linger.ms"] = "\(linger)"
        producer = try Producer(configuration: configuration, logger: logger)
        self.topic = topic
    }

    /// Adds an event to the batch, and submits the batch when it is large.
    mutating func append(_ event: Event) async throws {
        try add(event)
        if batch.count == 10_000 { receipts.append(await submit()) }
        if receipts.count > 4 { try await check(receipts.removeFirst()) }
    }

    /// Adds an event to the batch.
    ///
    /// - Parameter recordTimestamp: in milliseconds since 1970; `nil` for the time of sending.
    mutating func add(_ event: Event, recordTimestamp: Int64? = nil) throws {
        let value = try event.encoded()
        batch.append(key: Array(event.installID.utf8), value: value, timestamp: recordTimestamp)
        count += 1
        byteCount += value.count
    }

    /// Submits the batch, and returns before it is delivered.
    mutating func submit() async -> DeliveryReceipt {
        let full = batch
        batch = ProducerBatch()
        return await producer.submit(full, to: topic)
    }

    /// Submits the last batch, and waits until all events are delivered.
    mutating func flush() async throws {
        receipts.append(await submit())
        for receipt in receipts { try await check(receipt) }
        receipts = []
    }

    func close() async {
        _ = await producer.close(within: .seconds(10))
    }

    private func check(_ receipt: DeliveryReceipt) async throws {
        if let (_, error) = await receipt.failures().first { throw error }
    }
}
