import FlowEvents

/// The one thing that `track` touches: a bounded buffer behind a mutex, emptied by the tracker's worker.
package final class TrackerBuffer: Sendable {
    package struct Entry: Sendable {
        package var draft: EventDraft
        package var moment: Timestamp
        var userID: String?
        /// Whether the session of the events before is over.
        var beginsSession = false
        /// Whether the app is what speaks: a note of the tracker itself belongs to no session and no user.
        var isNote = false

        /// A note of the tracker itself.
        package static func note(_ draft: EventDraft, at moment: Timestamp) -> Entry {
            Entry(draft: draft, moment: moment, isNote: true)
        }
    }

    /// What was tracked since the last time, in its order.
    package struct Chunk: Sendable {
        /// How many events before the first entry were dropped since the buffer was full.
        package var overflow = 0
        package var entries = FIFO<Entry>()
        /// How many came after the end.
        package var refused = 0
        /// How many came while tracking was switched off.
        package var optedOut = 0

        package var isEmpty: Bool { overflow == 0 && entries.isEmpty && refused == 0 && optedOut == 0 }
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
        var hasOptedOut = false
        var beginsSession = false
        var isWorkerAwake = false
    }

    private let limit: Int
    private let state = Locked(State())

    package init(limit: Int) {
        self.limit = limit
    }

    /// Takes a draft in.
    func add(_ draft: EventDraft, at moment: Timestamp) -> Wake {
        state.withLock { state in
            state.tracked += 1
            if state.isClosed {
                state.chunk.refused += 1
            } else if state.hasOptedOut {
                state.chunk.optedOut += 1
            } else {
                if state.chunk.entries.count == limit, let oldest = state.chunk.entries.popFirst() {
                    state.chunk.overflow += 1
                    state.beginsSession = state.beginsSession || oldest.beginsSession && state.chunk.entries.isEmpty
                }
                var entry = Entry(draft: draft, moment: moment, userID: state.userID)
                entry.beginsSession = state.beginsSession
                state.beginsSession = false
                state.chunk.entries.append(entry)
            }
            if !state.isWorkerAwake {
                state.isWorkerAwake = true
                return .start
            }
            return state.chunk.entries.count == max(1, limit / 4) ? .hurry : .nothing
        }
    }

    /// Takes everything out. Nothing is copied, so that no caller of `track` has to wait for it.
    package func take() -> Chunk {
        state.withLock { state in
            let chunk = state.chunk
            state.chunk = Chunk()
            return chunk
        }
    }

    /// Lets the worker sleep if there is nothing for it; says whether it may.
    package func letWorkerSleep() -> Bool {
        state.withLock { state in
            state.isWorkerAwake = !state.chunk.isEmpty
            return !state.isWorkerAwake
        }
    }

    /// Sets whose events follow.
    func identify(_ userID: String?) {
        state.withLock { $0.userID = userID }
    }

    /// Forgets the user, and lets the next event begin a session.
    func reset() {
        state.withLock { state in
            state.userID = nil
            state.beginsSession = true
        }
    }

    /// Switches tracking off or on.
    package func setOptedOut(_ hasOptedOut: Bool) {
        state.withLock { $0.hasOptedOut = hasOptedOut }
    }

    /// Refuses what follows.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// How many events were ever tracked.
    package var tracked: Int { state.withLock { $0.tracked } }
}
