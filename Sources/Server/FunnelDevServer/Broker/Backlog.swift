import EventTracking
import Synchronization

/// Holds events back while what reads the topic is behind.
///
/// The embedded broker keeps the newest 5 MiB of a partition, whether or not they were read. So an app that sends faster
/// than the consumer counts would lose events. With a backlog the app's requests wait instead.
///
/// It compares numbers of records. Where another program writes to the topic, too, it may let more through.
final class Backlog: Sendable {
    /// What reads the topic.
    enum Reader: Int, CaseIterable {
        /// Counts the events.
        case consumer
        /// Shows them.
        case tail
    }

    private struct State {
        /// The bytes that are under way, or in the topic and not read by all.
        var byteCount = 0
        /// The batches that are not read by all: the number of records up to their end, and their bytes.
        var unread: [(end: Int, byteCount: Int)] = []
        var publishedCount = 0
        var readCounts = [Int](repeating: 0, count: Reader.allCases.count)
        var waiting: [CheckedContinuation<Void, Never>] = []

        /// Forgets what all have read.
        mutating func forget() {
            let end = readCounts.min() ?? 0
            let count = unread.prefix { $0.end <= end }.count
            byteCount -= unread.prefix(count).reduce(0) { $0 + $1.byteCount }
            unread.removeFirst(count)
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates an empty backlog.
    ///
    /// - Parameter limit: the greatest number of bytes that are published and not read.
    init(limit: Int) {
        self.limit = limit
    }

    /// The bytes that are under way, or not read by all.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Waits until there is room, and takes it. A batch that is greater than the limit waits until all is read.
    func reserve(_ byteCount: Int) async {
        while !tryReserve(byteCount) {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isLate = state.withLock { state in
                    if hasRoom(for: byteCount, state) { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }

    private func tryReserve(_ byteCount: Int) -> Bool {
        state.withLock { state in
            guard hasRoom(for: byteCount, state) else { return false }
            state.byteCount += byteCount
            return true
        }
    }

    private func hasRoom(for byteCount: Int, _ state: State) -> Bool {
        state.byteCount == 0 || state.byteCount + byteCount <= limit
    }

    /// Takes in that a batch is settled.
    ///
    /// - Parameters:
    ///   - byteCount: the bytes that were reserved.
    ///   - publishedCount: the number of its events that are in the topic now.
    func settle(_ byteCount: Int, publishedCount: Int) {
        change { state in
            state.publishedCount += publishedCount
            state.unread.append((state.publishedCount, byteCount))
            state.forget()
        }
    }

    /// Takes in how many records a reader has read since the start.
    func setReadCount(_ count: Int, by reader: Reader) {
        change { state in
            state.readCounts[reader.rawValue] = count
            state.forget()
        }
    }

    /// Changes the state, and wakes those that wait if there may be more room.
    private func change(_ body: (inout State) -> Void) {
        let waiting: [CheckedContinuation<Void, Never>] = state.withLock { state in
            let before = state.byteCount
            body(&state)
            guard state.byteCount < before else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension EventSink {
    /// Returns a sink that waits while too much of what it has published is not read.
    func holdingBack(by backlog: Backlog) -> EventSink {
        var sink = self
        sink.submit = { [submit] batch in
            let byteCount = batch.reduce(0) { $0 + $1.size }
            await backlog.reserve(byteCount)
            let receipt = await submit(batch)
            return EventReceipt {
                let outcomes = await receipt.outcomes()
                let published = outcomes.count { if case .delivered = $0 { true } else { false } }
                backlog.settle(byteCount, publishedCount: published)
                return outcomes
            }
        }
        return sink
    }
}
