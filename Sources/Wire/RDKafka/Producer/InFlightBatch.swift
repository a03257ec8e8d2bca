import CRDKafka

/// A batch in delivery: the records that librdkafka does not have yet, and the results of those that it has.
///
/// Unchecked, because the sender creates it and hands it over once; after that only the producer's thread uses it.
/// librdkafka calls the delivery callbacks only inside `rd_kafka_poll` and `rd_kafka_flush`. A complete batch does not
/// change any more, and its receipt reads it.
final class InFlightBatch: @unchecked Sendable {
    /// The state of one record, whose address librdkafka returns in the delivery report. One allocation for the batch
    /// instead of one for each record.
    struct Slot {
        let batch: Unmanaged<InFlightBatch>
        /// The owner of the record's list of headers. The batch keeps it alive.
        var headers: Unmanaged<SharedHeaders>?
        var offset: Int64
        var partition: Int32
        var code: rd_kafka_resp_err_t
    }

    let topic: String
    let entries: [ProducerBatch.Entry]
    let headerSets: [[KafkaHeader]]
    /// The records' keys and values; `nil` once every record has a result.
    private(set) var bytes: RecordBytes?
    /// The index of the first record that librdkafka does not have yet.
    var cursor = 0
    /// The ledger that counts the delivery reports; `nil` before the producer's thread has the batch and after the last
    /// report.
    var ledger: DeliveryLedger?
    private var headersInUse: [SharedHeaders] = []
    private var remaining: Int
    private let slots: UnsafeMutablePointer<Slot>
    // `nil` once it is settled, because the receipt then keeps the batch.
    private var receipt: DeliveryReceipt?
    /// Fulfilled when librdkafka has the whole batch, or never will; `nil` if the sender does not wait for that.
    private let handover: Promise<Void>?

    init(
        _ batch: ProducerBatch,
        topic: String,
        receipt: DeliveryReceipt,
        handover: Promise<Void>?
    ) {
        self.topic = topic
        entries = batch.entries
        headerSets = batch.headerSets
        bytes = batch.bytes
        self.remaining = batch.count
        self.receipt = receipt
        self.handover = handover
        slots = .allocate(capacity: batch.count)
        // Unretained: the producer's thread keeps the batch until every slot has a report.
        slots.initialize(
            repeating: Slot(
                batch: .passUnretained(self),
                offset: -1,
                partition: -1,
                code: RD_KAFKA_RESP_ERR__IN_PROGRESS
            ),
            count: batch.count
        )
    }

    deinit {
        slots.deallocate()
    }

    /// The number of records.
    var count: Int { entries.count }

    /// The partition and the offset of a delivered record.
    func metadata(_ index: Int) -> RecordMetadata {
        let slot = slots[index]
        return RecordMetadata(partition: slot.partition, offset: slot.offset >= 0 ? slot.offset : nil)
    }

    func slot(_ index: Int) -> UnsafeMutablePointer<Slot> { slots + index }

    /// Sets the result of one record.
    ///
    /// - Returns: whether this was the last record without a result.
    func settle(
        _ slot: UnsafeMutablePointer<Slot>,
        code: rd_kafka_resp_err_t,
        partition: Int32 = -1,
        offset: Int64 = -1
    ) -> Bool {
        slot.pointee.code = code
        slot.pointee.partition = partition
        slot.pointee.offset = offset
        remaining -= 1
        return remaining == 0
    }

    /// Keeps headers alive as long as librdkafka has records of the batch.
    func keep(_ headers: SharedHeaders) {
        if headersInUse.last !== headers { headersInUse.append(headers) }
    }

    /// Resumes a sender that waits for the handover.
    func releaseSender() {
        handover?.fulfill(())
    }

    private func settle(_ report: DeliveryReport) {
        receipt?.settle(report)
        receipt = nil
        releaseSender()
    }

    /// Fails all records of a batch that did not reach the producer's thread.
    func refuseAll(_ error: KafkaError) {
        settle(.refused(count: count, error))
    }

    /// Settles the receipt and returns the counts. Creates one error for each code, with `makeError`.
    func complete(_ makeError: (rd_kafka_resp_err_t) -> KafkaError) -> (delivered: Int, failed: Int) {
        var failures: [Int: KafkaError] = [:]
        var errors: [rd_kafka_resp_err_t.RawValue: KafkaError] = [:]
        for index in 0..<count where slots[index].code != RD_KAFKA_RESP_ERR_NO_ERROR {
            let code = slots[index].code
            let error = errors[code.rawValue] ?? makeError(code)
            errors[code.rawValue] = error
            failures[index] = error
        }
        bytes = nil
        headersInUse = []
        settle(.settled(self, failures: failures))
        return (count - failures.count, failures.count)
    }
}
