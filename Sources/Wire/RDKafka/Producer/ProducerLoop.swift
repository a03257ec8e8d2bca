import CRDKafka
import Logging

/// Does what ``ProducerStateMachine`` decides, on a thread of its own.
///
/// Unchecked, because it is created for one thread and used by no other.
final class ProducerLoop: @unchecked Sendable {
    /// Records handed over before delivery reports are served again.
    private static let slice = 4096

    private let handle: ClientHandle
    private let inbox: ProducerInbox
    private let ledger: DeliveryLedger
    private let writer: RecordWriter
    private let metrics: KafkaProducerMetrics
    private var machine = ProducerStateMachine<InFlightBatch>()
    private var closers: [CheckedContinuation<UndeliveredRecords, Never>] = []

    init(handle: ClientHandle, inbox: ProducerInbox, metrics: KafkaProducerMetrics) {
        self.handle = handle
        self.inbox = inbox
        self.metrics = metrics
        ledger = DeliveryLedger(handle: handle, metrics: metrics)
        writer = RecordWriter(handle: handle, ledger: ledger)
    }

    /// Works until the producer is closed and nothing is left.
    func run() {
        while true {
            inbox.take().forEach(obey)
            switch machine.next(outstanding: ledger.outstanding, settled: ledger.settled, now: .now) {
            case .produce(let batch):
                produce(batch)
            case .poll(let wait):
                rd_kafka_poll(handle.pointer, wait.milliseconds)
            case .flush(let wait):
                rd_kafka_flush(handle.pointer, wait.milliseconds)
            case .giveUp(let batches):
                batches.forEach { ledger.refuseRest(of: $0, code: RD_KAFKA_RESP_ERR__PURGE_QUEUE) }
                rd_kafka_purge(handle.pointer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
            case .finish:
                return finish()
            }
        }
    }

    private func obey(_ command: ProducerInbox.Command) {
        switch command {
        case .send(let batch):
            ledger.begin(batch)
            if !machine.submit(batch) {
                ledger.refuseRest(of: batch, code: RD_KAFKA_RESP_ERR__DESTROY)
            }
        case .flush:
            machine.flush()
        case .close(let deadline, let done):
            if let done {
                closers.append(done)
            }
            machine.close(by: deadline)
        }
    }

    private func produce(_ batch: InFlightBatch) {
        switch writer.write(batch, limit: Self.slice) {
        case .queueFull:
            metrics.recordQueueFull()
            machine.queueWasFull()
        case .handedOver where batch.cursor == batch.count:
            machine.handedOver()
            batch.release()
        case .handedOver:
            break
        }
        rd_kafka_poll(handle.pointer, 0)
    }

    private func finish() {
        let undelivered = ledger.undelivered
        if !undelivered.isEmpty {
            handle.context.logger.error("Kafka producer closed: \(undelivered)")
        }
        // Nothing can come after this; what came at the last moment is refused by the machine, which is closing.
        inbox.end(undelivered).forEach(obey)
        closers.forEach { $0.resume(returning: undelivered) }
    }
}
