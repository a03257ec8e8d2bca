import CRDKafka
import Synchronization

/// A queue of a client whose wait another thread can end.
///
/// Unchecked, because the pointer never changes and `rd_kafka_queue_yield` may be called from any thread.
final class WakeableQueue: @unchecked Sendable {
    private let handle: ClientHandle
    private let queue: OpaquePointer
    private let isClosed = Mutex(false)

    /// Takes ownership of the reference that librdkafka returned.
    init(_ queue: OpaquePointer, of handle: ClientHandle) {
        self.queue = queue
        self.handle = handle
    }

    deinit {
        rd_kafka_queue_destroy(queue)
    }

    /// The number of records and events in the queue.
    var length: Int { rd_kafka_queue_length(queue) }

    /// Makes the current wait, or the next one if there is none, return at once. Does nothing after ``close()``.
    func wake() {
        isClosed.withLock { isClosed in
            if !isClosed { rd_kafka_queue_yield(queue) }
        }
    }

    /// Turns ``wake()`` off. Call it before the client closes.
    ///
    /// A wake during `rd_kafka_consumer_close` ends its wait too early (`rd_kafka_q_pop` returns nothing): the consumer
    /// stays in the group, and destroying the client may wait forever.
    func close() {
        isClosed.withLock { $0 = true }
    }
}

/// Ends the wait of a consumer's poll from another thread, so that a service can stop at once.
///
/// It keeps the client's memory: release it together with the consumer.
public struct ConsumerWaker: Sendable {
    private let queue: WakeableQueue

    init(_ queue: WakeableQueue) {
        self.queue = queue
    }

    /// Makes the current poll, or the next one if there is none, return at once. Does nothing after the consumer's
    /// ``Consumer/close()``.
    public func wake() {
        queue.wake()
    }

    func close() {
        queue.close()
    }
}
