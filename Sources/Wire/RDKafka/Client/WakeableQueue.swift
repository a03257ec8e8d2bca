import CRDKafka
import Synchronization

/// A queue of a client that another thread can wake from its wait.
///
/// Unchecked, because the pointer never changes and `rd_kafka_queue_yield` may be called from any thread.
final class WakeableQueue: @unchecked Sendable {
    private let handle: ClientHandle
    private let queue: OpaquePointer
    private let isClosed = Mutex(false)

    /// Takes over the reference that librdkafka returned.
    init(_ queue: OpaquePointer, of handle: ClientHandle) {
        self.queue = queue
        self.handle = handle
    }

    deinit {
        rd_kafka_queue_destroy(queue)
    }

    /// Makes the wait that is going on, or else the next one, return at once. Does nothing once it is closed.
    func wake() {
        isClosed.withLock { isClosed in
            if !isClosed { rd_kafka_queue_yield(queue) }
        }
    }

    /// Lets nobody wake it any more, before its client closes: `rd_kafka_consumer_close` takes being woken for the end
    /// of its wait (`rd_kafka_q_pop` returns nothing), stays in the group, and destroying the client may wait for ever.
    func close() {
        isClosed.withLock { $0 = true }
    }
}
