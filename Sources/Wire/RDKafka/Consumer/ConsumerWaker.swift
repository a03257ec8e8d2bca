/// Wakes a consumer's poll from elsewhere, so that a service ends at once when it is told to.
///
/// Let go of it with the consumer: it keeps the client's memory.
public struct ConsumerWaker: Sendable {
    private let queue: WakeableQueue

    init(_ queue: WakeableQueue) {
        self.queue = queue
    }

    /// Makes the poll that is going on, or else the next one, return at once. Does nothing once the consumer closes.
    public func wake() {
        queue.wake()
    }

    func close() {
        queue.close()
    }
}
