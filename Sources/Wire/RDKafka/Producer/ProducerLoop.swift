import CRDKafka
import Logging

/// Executes the actions of ``ProducerStateMachine`` on the producer's thread.
///
/// Unchecked, because it is created for one thread and no other thread uses it.
final class ProducerLoop: @unchecked Sendable {
    /// The records to hand over before delivery reports are served again.
    private static let recordsPerTurn = 4096

    private let handle: ClientHandle
    private let inbox: ProducerInbox
    private let closed: Promise<UndeliveredRecords>
    private let ledger: DeliveryLedger
    private let writer: RecordWriter
    private let metrics: KafkaProducerMetrics
    private var machine = ProducerStateMachine<InFlightBatch>()

    init(
        handle: ClientHandle,
        inbox: ProducerInbox,
        closed: Promise<UndeliveredRecords>,
        metrics: KafkaProducerMetrics
    ) {
        self.handle = handle
        self.inbox = inbox
        self.closed = closed
        self.metrics = metrics
        ledger = DeliveryLedger(handle: handle, metrics: metrics)
        writer = RecordWriter(handle: handle, ledger: ledger)
    }

    /// Runs until the producer is closed and every record has a result.
    func run() {
        while true {
            inbox.take().forEach(execute)
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

    private func execute(_ command: ProducerInbox.Command) {
        switch command {
        case .send(let batch):
            ledger.begin(batch)
            if !machine.submit(batch) {
                ledger.refuseRest(of: batch, code: RD_KAFKA_RESP_ERR__DESTROY)
            }
        case .flush:
            machine.flush()
        case .close(let deadline):
            machine.close(by: deadline)
        }
    }

    private func produce(_ batch: InFlightBatch) {
        switch writer.write(batch, limit: Self.recordsPerTurn) {
        case .queueFull:
            metrics.recordQueueFull()
            machine.queueWasFull()
        case .handedOver where batch.cursor == batch.count:
            machine.handedOver()
            batch.releaseSender()
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
        // Commands that came since the last turn. The machine is closing and refuses their batches.
        inbox.end().forEach(execute)
        closed.fulfill(undelivered)
    }
}
