import CRDKafka

/// A batch on its way: what is still to hand over, and where the delivery reports go.
///
/// Unchecked, because it is created by the sender, handed over once, and from then on touched by the producer's
/// thread alone: librdkafka calls delivery callbacks from `rd_kafka_poll` and `rd_kafka_flush` only. When it is complete
/// it changes no more, and its receipt reads it.
final class InFlightBatch: @unchecked Sendable {
    /// What librdkafka gives back with a record. One block for the batch instead of an object for each record.
    struct Slot {
        let batch: Unmanaged<InFlightBatch>
        /// Whose list of headers the record has; the batch keeps them.
        var headers: Unmanaged<SharedHeaders>?
        var offset: Int64
        var partition: Int32
        var code: rd_kafka_resp_err_t
    }

    let topic: String
    let entries: [ProducerBatch.Entry]
    let headerSets: [[KafkaHeader]]
    /// The records' keys and values; gone when librdkafka has answered for all of them.
    private(set) var bytes: RecordBytes?
    /// The first record that librdkafka does not have yet.
    var cursor = 0
    /// Where the delivery reports are counted, from when the producer's thread has the batch until all are in.
    var ledger: DeliveryLedger?
    private var headersInUse: [SharedHeaders] = []
    private var remaining: Int
    private let slots: UnsafeMutablePointer<Slot>
    // Gone when it is settled, for it then keeps the batch.
    private var receipt: DeliveryReceipt?
    /// The sender, where it waits until librdkafka has the whole batch.
    private var sender: CheckedContinuation<Void, Never>?

    init(
        _ batch: ProducerBatch,
        topic: String,
        receipt: DeliveryReceipt,
        handedOver sender: CheckedContinuation<Void, Never>?
    ) {
        self.topic = topic
        entries = batch.entries
        headerSets = batch.headerSets
        bytes = batch.bytes
        self.remaining = batch.count
        self.receipt = receipt
        self.sender = sender
        slots = .allocate(capacity: batch.count)
        // Unretained: the producer's thread keeps the batch until every slot has been reported.
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

    /// How many records there are.
    var count: Int { entries.count }

    /// Where a record stands that was delivered.
    func place(_ index: Int) -> RecordMetadata {
        let slot = slots[index]
        return RecordMetadata(partition: slot.partition, offset: slot.offset >= 0 ? slot.offset : nil)
    }

    func slot(_ index: Int) -> UnsafeMutablePointer<Slot> { slots + index }

    /// Notes one record's fate, and tells whether it was the last.
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

    /// Keeps headers for as long as librdkafka has records of the batch.
    func keep(_ headers: SharedHeaders) {
        if headersInUse.last !== headers { headersInUse.append(headers) }
    }

    /// Lets the sender go on: librdkafka has the whole batch, or never will.
    func release() {
        sender?.resume()
        sender = nil
    }

    private func settle(_ report: DeliveryReport) {
        receipt?.settle(report)
        receipt = nil
        release()
    }

    /// Answers the sender of a batch that the producer's thread did not get.
    func refuseAll(_ error: KafkaError) {
        settle(.refused(count, error))
    }

    /// Answers the sender, and counts. The errors of one code are one object, made by `makeError`.
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
        settle(.answered(self, failures: failures))
        return (count - failures.count, failures.count)
    }
}
