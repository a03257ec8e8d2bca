import CRDKafka

/// The batches that have records in librdkafka. Confined to the producer's thread, as librdkafka's callbacks are.
final class DeliveryLedger {
    /// The number of records that librdkafka has.
    private(set) var outstanding = 0
    /// The number of records that librdkafka has reported on.
    private(set) var settled = 0
    private(set) var undelivered = UndeliveredRecords()
    private var open: [ObjectIdentifier: InFlightBatch] = [:]
    private let handle: ClientHandle
    private let metrics: KafkaProducerMetrics

    init(handle: ClientHandle, metrics: KafkaProducerMetrics) {
        self.handle = handle
        self.metrics = metrics
    }

    /// Keeps the batch until all of its records have a result.
    func begin(_ batch: InFlightBatch) {
        batch.ledger = self
        open[ObjectIdentifier(batch)] = batch
    }

    /// Counts a record that librdkafka has accepted.
    func handedOver() {
        outstanding += 1
    }

    /// Passes a delivery report to the ledger of its batch.
    static func report(_ message: UnsafePointer<rd_kafka_message_t>) {
        // librdkafka returns the pointer that the record was handed over with: the address of its slot.
        guard let slot = message.pointee._private?.assumingMemoryBound(to: InFlightBatch.Slot.self) else { return }
        // The ledger keeps the batch alive, so that no reference has to be counted for each record.
        slot.pointee.batch._withUnsafeGuaranteedRef { batch in
            guard let ledger = batch.ledger else { return }
            slot.pointee.headers?._withUnsafeGuaranteedRef { $0.takeBack(from: message) }
            ledger.outstanding -= 1
            ledger.settled += 1
            ledger.settle(
                slot,
                of: batch,
                code: message.pointee.err,
                partition: message.pointee.partition,
                offset: message.pointee.offset
            )
        }
    }

    /// Fails the records of a batch that librdkafka does not have.
    func refuseRest(of batch: InFlightBatch, code: rd_kafka_resp_err_t) {
        while batch.cursor < batch.count {
            refuse(batch.cursor, of: batch, code: code)
            batch.cursor += 1
        }
    }

    /// Fails a record that librdkafka did not accept.
    func refuse(_ index: Int, of batch: InFlightBatch, code: rd_kafka_resp_err_t) {
        settle(batch.slot(index), of: batch, code: code, partition: -1, offset: -1)
    }

    private func settle(
        _ slot: UnsafeMutablePointer<InFlightBatch.Slot>,
        of batch: InFlightBatch,
        code: rd_kafka_resp_err_t,
        partition: Int32,
        offset: Int64
    ) {
        undelivered.count(code)
        guard batch.settle(slot, code: code, partition: partition, offset: offset) else { return }
        batch.ledger = nil
        metrics.record(batch.complete { code in error(code, topic: batch.topic) })
        // At the end, because this may release the last reference to the batch.
        open[ObjectIdentifier(batch)] = nil
    }

    private func error(_ code: rd_kafka_resp_err_t, topic: String) -> KafkaError {
        let context = handle.context
        return switch KafkaError.Code(code) {
        case .purgedFromQueue:
            context.error(code, message: "The producer was closed before the record was sent", topic: topic)
        case .purgedInFlight:
            context.error(
                code,
                message: "The producer was closed before the broker answered; it may have the record",
                topic: topic
            )
        case .messageTimedOut:
            context.error(code, message: "The record was not delivered within message.timeout.ms", topic: topic)
        default:
            code == RD_KAFKA_RESP_ERR__FATAL
                ? context.error(of: handle.pointer, code, message: nil) : context.error(code, topic: topic)
        }
    }
}
