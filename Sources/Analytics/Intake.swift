import Events

/// The one thing that `track` touches: a bounded buffer behind a mutex, emptied by the tracker's worker.
final class Intake: Sendable {
    struct Entry: Sendable {
        var draft: EventDraft
        var moment: Timestamp
        var userID: String?
    }

    /// What was tracked since the last time, in its order.
    struct Chunk: Sendable {
        /// How many events before the first entry were dropped since the buffer was full.
        var overflow = 0
        var entries: [Entry] = []
        /// How many came after the end.
        var refused = 0

        var isEmpty: Bool { overflow == 0 && entries.isEmpty && refused == 0 }
    }

    private struct State {
        var entries = FIFO<Entry>()
        var overflow = 0
        var refused = 0
        var tracked = 0
        var userID: String?
        var isClosed = false
        var isWorkerAwake = false
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes a draft in; says whether the worker has to be woken for it.
    func add(_ draft: EventDraft, at moment: Timestamp) -> Bool {
        state.withLock { state in
            state.tracked += 1
            if state.isClosed {
                state.refused += 1
            } else {
                if state.entries.count == limit, state.entries.popFirst() != nil { state.overflow += 1 }
                state.entries.append(Entry(draft: draft, moment: moment, userID: state.userID))
            }
            defer { state.isWorkerAwake = true }
            return !state.isWorkerAwake
        }
    }

    /// Empties the buffer for the worker, which may sleep when it gets an empty chunk.
    func take() -> Chunk {
        state.withLock { state in
            let chunk = Chunk(overflow: state.overflow, entries: state.entries.removeAll(), refused: state.refused)
            state.overflow = 0
            state.refused = 0
            state.isWorkerAwake = !chunk.isEmpty
            return chunk
        }
    }

    /// Sets whose events follow.
    func identify(_ userID: String?) {
        state.withLock { $0.userID = userID }
    }

    /// Refuses what follows.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// How many events were ever tracked.
    var tracked: Int { state.withLock { $0.tracked } }
}
