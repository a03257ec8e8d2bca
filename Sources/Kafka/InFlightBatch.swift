import CRDKafka

/// A batch on its way: what is still to hand over, and where the delivery reports go.
///
/// Unchecked, because it is created by the sender, handed over once, and from then on touched by the producer's
/// thread alone: librdkafka calls delivery callbacks from `rd_kafka_poll` and `rd_kafka_flush` only.
final class InFlightBatch: @unchecked Sendable {
    /// What librdkafka gives back with a record. One block for the batch instead of an object for each record.
    struct Slot {
        let batch: Unmanaged<InFlightBatch>
        var offset: Int64
        var partition: Int32
        var code: rd_kafka_resp_err_t
    }

    let topic: String
    let batch: ProducerBatch
    /// The first record that librdkafka does not have yet.
    var cursor = 0
    /// Where the delivery reports are counted, from when the producer's thread has the batch until all are in.
    var ledger: DeliveryLedger?
    private var remaining: Int
    private let slots: UnsafeMutablePointer<Slot>
    private let receipt: DeliveryReceipt
    /// The sender, where it waits until librdkafka has the whole batch.
    private var sender: CheckedContinuation<Void, Never>?

    init(
        _ batch: ProducerBatch,
        topic: String,
        receipt: DeliveryReceipt,
        handedOver sender: CheckedContinuation<Void, Never>?
    ) {
        self.topic = topic
        self.batch = batch
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

    /// Lets the sender go on: librdkafka has the whole batch, or never will.
    func release() {
        sender?.resume()
        sender = nil
    }

    /// Answers the sender of a batch that the producer's thread did not get.
    func refuseAll(_ error: KafkaError) {
        receipt.settle(batch.entries.map { _ in .failure(error) })
        release()
    }

    /// Answers the sender, and counts. The errors of one code are one object, made by `makeError`.
    func complete(_ makeError: (rd_kafka_resp_err_t) -> KafkaError) -> (delivered: Int, failed: Int) {
        var failed = 0
        var errors: [rd_kafka_resp_err_t.RawValue: KafkaError] = [:]
        let results = (0..<batch.count).map { index -> Result<RecordMetadata, KafkaError> in
            let slot = slots[index]
            if slot.code == RD_KAFKA_RESP_ERR_NO_ERROR {
                return .success(
                    RecordMetadata(partition: slot.partition, offset: slot.offset >= 0 ? slot.offset : nil)
                )
            }
            failed += 1
            if let known = errors[slot.code.rawValue] {
                return .failure(known)
            }
            let error = makeError(slot.code)
            errors[slot.code.rawValue] = error
            return .failure(error)
        }
        receipt.settle(results)
        release()
        return (results.count - failed, failed)
    }
}
