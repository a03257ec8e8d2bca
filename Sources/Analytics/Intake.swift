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
        var entries = FIFO<Entry>()
        /// How many came after the end.
        var refused = 0

        var isEmpty: Bool { overflow == 0 && entries.isEmpty && refused == 0 }
    }

    /// What has to be done about a new entry.
    enum Wake: Sendable {
        case nothing
        /// The worker sleeps.
        case start
        /// The worker rests, but the buffer should not fill up meanwhile.
        case hurry
    }

    private struct State {
        var chunk = Chunk()
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

    /// Takes a draft in.
    func add(_ draft: EventDraft, at moment: Timestamp) -> Wake {
        state.withLock { state in
            state.tracked += 1
            if state.isClosed {
                state.chunk.refused += 1
            } else {
                if state.chunk.entries.count == limit, state.chunk.entries.popFirst() != nil {
                    state.chunk.overflow += 1
                }
                state.chunk.entries.append(Entry(draft: draft, moment: moment, userID: state.userID))
            }
            if !state.isWorkerAwake {
                state.isWorkerAwake = true
                return .start
            }
            return state.chunk.entries.count == max(1, limit / 4) ? .hurry : .nothing
        }
    }

    /// Takes everything out. Nothing is copied, so that no caller of `track` has to wait for it.
    func take() -> Chunk {
        state.withLock { state in
            let chunk = state.chunk
            state.chunk = Chunk()
            return chunk
        }
    }

    /// Lets the worker sleep if there is nothing for it; says whether it may.
    func letWorkerSleep() -> Bool {
        state.withLock { state in
            state.isWorkerAwake = !state.chunk.isEmpty
            return !state.isWorkerAwake
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
