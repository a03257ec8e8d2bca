import CRDKafka

/// A queue of a client that another thread can wake from its wait.
///
/// Unchecked, because the pointer never changes and `rd_kafka_queue_yield` may be called from any thread.
final class WakeableQueue: @unchecked Sendable {
    private let handle: ClientHandle
    private let queue: OpaquePointer

    /// Takes over the reference that librdkafka returned.
    init(_ queue: OpaquePointer, of handle: ClientHandle) {
        self.queue = queue
        self.handle = handle
    }

    deinit {
        rd_kafka_queue_destroy(queue)
    }

    /// Makes the wait that is going on, or else the next one, return at once.
    func wake() {
        rd_kafka_queue_yield(queue)
    }
}
