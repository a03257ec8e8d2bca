import EventReader
import FlowEvents
import Synchronization

/// A pool of event readers, which keep their buffers from one request to the next. Creating a reader costs more than
/// reading a few events.
final class ReaderPool: Sendable {
    /// The readers for one body.
    // Unchecked, because only the caller that took the readers out of the pool uses them.
    final class Readers: @unchecked Sendable {
        let events = EventReader(fields: [])
        /// The buffers for events that `events` cannot read.
        let scratch = JSONScratch()
    }

    private let idle = Mutex<[Readers]>([])
    private let limit: Int

    /// Creates an empty pool.
    ///
    /// - Parameter limit: the number of unused readers to keep.
    init(limit: Int) {
        self.limit = limit
    }

    /// Calls `body` with readers that no other caller uses at the same time.
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
