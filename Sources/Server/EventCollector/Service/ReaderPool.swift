import EventReader
import FlowEvents
import Synchronization

/// Readers that keep their buffers from one request to the next: making them anew would cost more than reading a few
/// events.
final class ReaderPool: Sendable {
    /// What takes a body apart.
    // Unchecked, because whoever has taken it out of the pool is the only one who has it.
    final class Readers: @unchecked Sendable {
        let events = EventReader(fields: [])
        /// For what the other cannot read.
        let scratch = JSONScratch()
    }

    private let idle = Mutex<[Readers]>([])
    private let limit: Int

    /// Creates an empty pool.
    ///
    /// - Parameter limit: how many readers are kept while nobody uses them.
    init(limit: Int) {
        self.limit = limit
    }

    /// Runs `body` with readers that nobody else uses meanwhile.
    func withReaders<Value, Failure: Error>(_ body: (Readers) throws(Failure) -> Value) throws(Failure) -> Value {
        let readers = idle.withLock { $0.popLast() } ?? Readers()
        defer {
            idle.withLock { idle in
                if idle.count < limit { idle.append(readers) }
            }
        }
        return try body(readers)
    }
}
