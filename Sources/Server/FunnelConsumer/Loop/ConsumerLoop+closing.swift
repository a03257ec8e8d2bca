import Foundation
import Logging
import RDKafka

extension ConsumerLoop {
    /// Leaves the group. Everything is committed then, so a broker that does not answer must not hold up the end.
    func close() {
        let closing = ClosingConsumer(consumer: consumer)
        let isClosed = DispatchSemaphore(value: 0)
        let thread = Thread {
            closing.consumer.close()
            isClosed.signal()
        }
        thread.name = "funnel-consumer.close"
        thread.start()
        guard isClosed.wait(timeout: .now() + 8) == .timedOut else { return }
        logger.warning("Kafka did not answer in time when the consumer left its group; the group notices it later")
    }
}

/// Hands a consumer to the thread that closes it.
///
/// Unchecked, because the loop does not use its consumer any more.
private struct ClosingConsumer: @unchecked Sendable {
    let consumer: Consumer
}
