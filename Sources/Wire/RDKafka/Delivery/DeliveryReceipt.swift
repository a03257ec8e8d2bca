/// The future results of a batch that ``Producer/submit(_:to:)`` has handed to librdkafka.
///
/// ```swift
/// let receipt = await producer.submit(batch, to: "app-events")
/// let failures = await receipt.failures()
/// ```
public final class DeliveryReceipt: Sendable {
    /// One result for each record, in the order of the batch.
    public typealias Results = [Result<RecordMetadata, KafkaError>]

    private let report = Promise<DeliveryReport>()

    init() {}

    /// Waits until every record is delivered or has failed. It can be called any number of times.
    nonisolated(nonsending) public func results() async -> Results { await report.value().results }

    /// Waits like ``results()``, and returns the errors of the failed records by their index in the batch.
    ///
    /// The dictionary is empty if all records were delivered. This is cheaper than ``results()``, because it makes no
    /// ``RecordMetadata`` for each record.
    nonisolated(nonsending) public func failures() async -> [Int: KafkaError] { await report.value().failures }

    /// Sets the results; called once.
    func settle(_ report: DeliveryReport) { self.report.fulfill(report) }
}
