import Synchronization

/// The newest events, for pages that show them as they come.
///
/// ```swift
/// let feed = LiveFeed()
/// feed.append(event)
/// let news = feed.events(after: last, filter, limit: 200)
/// ```
///
/// However many events come and however slowly a page reads, the feed keeps a bounded number of bytes, and a page gets the
/// newest.
package final class LiveFeed: Sendable {
    /// Some of the events.
    package struct Slice: Sendable, Hashable {
        /// The events, the newest first.
        package var events: [LiveEvent] = []
        /// The number of the newest event of the feed, whether or not it is shown; 0 before the first.
        package var last = 0
        /// The number of events that came and went in between, or are more than were asked for.
        package var skippedCount = 0
    }

    /// What has come since the start.
    package struct Totals: Sendable, Hashable {
        /// All entries.
        package var count = 0
        /// Those with findings.
        package var wrongCount = 0
    }

    private struct State {
        var events: [LiveEvent?]
        var byteCount = 0
        /// The number of the oldest event that is kept.
        var oldest = 1
        var totals = Totals()
    }

    /// The number of events that are kept.
    package let eventLimit: Int
    /// The memory of the events that are kept, in bytes.
    package let byteLimit: Int
    private let state: Mutex<State>

    /// Creates an empty feed.
    ///
    /// - Parameters:
    ///   - eventLimit: the number of events that are kept, at least 1.
    ///   - byteLimit: the memory of the events that are kept, in bytes. The newest is kept whatever its size.
    package init(eventLimit: Int = 2_000, byteLimit: Int = 8 << 20) {
        self.eventLimit = eventLimit
        self.byteLimit = byteLimit
        state = Mutex(State(events: Array(repeating: nil, count: eventLimit)))
    }

    /// Adds an event, and forgets the oldest where there is no room. Any thread may call it.
    package func append(_ event: LiveEvent) {
        state.withLock { state in
            state.totals.count += 1
            if !event.findings.isEmpty { state.totals.wrongCount += 1 }
            var event = event
            event.number = state.totals.count
            state.byteCount += event.byteCount
            while state.oldest < event.number,
                state.byteCount > byteLimit || event.number - state.oldest >= eventLimit
            {
                let index = state.oldest % eventLimit
                state.byteCount -= state.events[index]?.byteCount ?? 0
                state.events[index] = nil
                state.oldest += 1
            }
            state.events[event.number % eventLimit] = event
        }
    }

    /// What has come since the start.
    package var totals: Totals { state.withLock { $0.totals } }

    /// Returns the newest events that a filter shows.
    ///
    /// - Parameters:
    ///   - number: leaves out the events up to this number; `nil` for a page that begins.
    ///   - filter: which events are wanted.
    ///   - limit: the number of events.
    package func events(after number: Int?, _ filter: LiveFilter, limit: Int) -> Slice {
        state.withLock { state in
            var slice = Slice(last: state.totals.count)
            let first = max(state.oldest, (number ?? 0) + 1)
            if let number { slice.skippedCount = max(0, state.oldest - number - 1) }
            guard first <= slice.last else { return slice }
            for number in (first...slice.last).reversed() {
                guard let event = state.events[number % eventLimit], filter.shows(event) else { continue }
                if slice.events.count < limit { slice.events.append(event) } else { slice.skippedCount += 1 }
            }
            if number == nil { slice.skippedCount = 0 }
            return slice
        }
    }
}
