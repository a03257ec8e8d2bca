import FlowEvents

/// The bounded buffer that `track` writes to. The tracker's worker empties it.
package final class TrackerBuffer: Sendable {
    /// Whose event it is.
    package enum User: Sendable, Hashable {
        /// The user that was saved last: the app has named none since its launch.
        case saved
        /// The user that the app has named; `nil` for none.
        case named(String?)
    }

    package struct Entry: Sendable {
        package var draft: EventDraft
        package var moment: Timestamp
        var user = User.saved
        /// Whether the event begins a session.
        var beginsSession = false
        /// Whether the tracker itself made the event. Such an event has no session and no user.
        var isNote = false

        /// Creates an event of the tracker itself.
        package static func note(_ draft: EventDraft, at moment: Timestamp) -> Entry {
            Entry(draft: draft, moment: moment, isNote: true)
        }
    }

    /// The events tracked since the worker last emptied the buffer, in order.
    package struct Chunk: Sendable {
        /// The number of events before the first entry that were dropped because the buffer was full.
        package var overflow = 0
        package var entries = FIFO<Entry>()
        /// The number of events tracked after the shutdown.
        package var refused = 0
        /// The number of events tracked while tracking was off.
        package var optedOut = 0
        /// The user of later events, where the app has named another one.
        package var user: User?

        package var isEmpty: Bool {
            overflow == 0 && entries.isEmpty && refused == 0 && optedOut == 0 && user == nil
        }
    }

    /// How to wake the worker for a new entry.
    enum Wake: Sendable {
        case nothing
        /// Start the worker.
        case start
        /// Let the worker continue before the end of its rest, because the buffer is filling up.
        case hurry
    }

    private struct State {
        var chunk = Chunk()
        var tracked = 0
        var user = User.saved
        var isClosed = false
        var hasOptedOut = false
        var era = 0
        var beginsSession = false
        var isWorkerAwake = false
        /// The sessions of all events, also of those that the filter has not seen yet.
        var sessions = SessionCounter()
        /// The sessions of the events that the filter has kept.
        var keptSessions = SessionCounter()

        /// Marks the worker as awake.
        ///
        /// - Returns: whether it slept.
        mutating func wakesWorker() -> Bool {
            defer { isWorkerAwake = true }
            return !isWorkerAwake
        }
    }

    private let limit: Int
    private let sessionTimeout: Duration
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: the number of events that may wait.
    ///   - sessionTimeout: how long a session lasts without an event.
    package init(limit: Int, sessionTimeout: Duration = TrackerConfiguration().sessionTimeout) {
        self.limit = limit
        self.sessionTimeout = sessionTimeout
    }

    /// The sessions of this run, as of now.
    func sessionProgress(at moment: Timestamp) -> SessionProgress {
        state.withLock { state in
            var progress = state.sessions.progress(at: moment, timeout: sessionTimeout, isReset: state.beginsSession)
            (progress.era, progress.isOff) = (state.era, state.hasOptedOut)
            return progress
        }
    }

    /// Adds a draft.
    func add(_ draft: consuming EventDraft, at moment: Timestamp) -> Wake {
        // Optional, so that the closure can move it: copying it would count references to all of its texts.
        var added: Entry? = Entry(draft: draft, moment: moment)
        return state.withLock { state in
            state.tracked += 1
            if state.isClosed {
                state.chunk.refused += 1
            } else if state.hasOptedOut {
                state.chunk.optedOut += 1
            } else {
                if state.chunk.entries.count == limit {
                    state.chunk.overflow += 1
                    if state.chunk.entries.dropFirst(1) { state.beginsSession = true }
                }
                state.sessions.add(moment, timeout: sessionTimeout, isReset: state.beginsSession)
                added?.user = state.user
                added?.beginsSession = state.beginsSession
                state.beginsSession = false
                state.chunk.entries.append(taking: &added)
            }
            if state.wakesWorker() { return .start }
            return state.chunk.entries.count == max(1, limit / 4) ? .hurry : .nothing
        }
    }

    /// Removes and returns all events. It copies none, so callers of `track` do not wait for it.
    package func take() -> Chunk {
        state.withLock { state in
            let chunk = state.chunk
            state.chunk = Chunk()
            return chunk
        }
    }

    /// Applies the filter to entries that ``take()`` has returned. What it drops counts toward no session.
    package func filtered(_ entries: [Entry], by filter: EventFilter) -> [Entry] {
        let (kept, beginsSession) = filter.apply(to: entries)
        // Only the worker changes this value, so the lock need not be held while the events are counted.
        var sessions = state.withLock { $0.keptSessions }
        sessions.add(kept, timeout: sessionTimeout)
        state.withLock { state in
            state.keptSessions = sessions
            guard kept.count < entries.count else { return }
            // What the filter has not seen yet is expected to stay.
            var waiting = state.chunk.entries
            if beginsSession, var first = waiting.popFirst() {
                first.beginsSession = true
                waiting.prepend([first])
                state.chunk.entries = waiting
            } else if beginsSession {
                state.beginsSession = true
            }
            state.sessions = sessions
            state.sessions.add(waiting.removeFirst(waiting.count), timeout: sessionTimeout)
        }
        return kept
    }

    /// Marks the worker as asleep if the buffer is empty.
    ///
    /// - Returns: whether the worker may sleep.
    package func letWorkerSleep() -> Bool {
        state.withLock { state in
            state.isWorkerAwake = !state.chunk.isEmpty
            return !state.isWorkerAwake
        }
    }

    /// Sets the user id of later events, and begins a session with the next one if asked to.
    ///
    /// - Returns: how to wake the worker, which saves the user.
    func identify(_ userID: String?, beginsSession: Bool = false) -> Wake {
        state.withLock { state in
            state.user = .named(userID)
            if beginsSession { state.beginsSession = true }
            guard !state.isClosed, !state.hasOptedOut else { return .nothing }
            state.chunk.user = state.user
            return state.wakesWorker() ? .start : .nothing
        }
    }

    /// Switches tracking off or on. The user is forgotten when it is switched off.
    package func setOptedOut(_ hasOptedOut: Bool) {
        state.withLock { state in
            guard state.hasOptedOut != hasOptedOut else { return }
            state.hasOptedOut = hasOptedOut
            if hasOptedOut {
                state.user = .named(nil)
                state.chunk.user = nil
            } else {
                state.era += 1
                // The app may have named a user meanwhile.
                state.chunk.user = state.user
            }
        }
    }

    /// Begins anew for another install: forgets the user, ends the session, and tells screens and paywalls apart from
    /// those that were seen before.
    ///
    /// - Returns: the events tracked before, which are the old install's.
    package func beginInstall() -> Chunk {
        state.withLock { state in
            let chunk = state.chunk
            state.chunk = Chunk()
            state.era += 1
            state.user = .named(nil)
            state.beginsSession = true
            return chunk
        }
    }

    /// Refuses later events.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// The number of events tracked so far.
    package var tracked: Int { state.withLock { $0.tracked } }
}

extension FIFO<TrackerBuffer.Entry> {
    /// Removes the first entries. If one of them begins a session, the first of the rest begins it instead.
    ///
    /// - Returns: whether an entry after all of these begins a session.
    package mutating func dropFirst(_ count: Int) -> Bool {
        guard removeFirst(count).contains(where: \.beginsSession) else { return false }
        guard var next = popFirst() else { return true }
        next.beginsSession = true
        prepend([next])
        return false
    }
}
