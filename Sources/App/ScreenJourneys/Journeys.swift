public import EventTracking
public import FlowEvents

/// The way of one person through the app, kept on the device and nowhere else, for a home screen that knows its user.
///
/// ```swift
/// let journeys = Journeys(path: "journeys.sqlite")
/// let screens = ScreenTracker(track: journeys.remembering(tracker.track))
/// let shortcuts = try await journeys.mostVisited(days: 30, excluding: ["home"])
/// ```
///
/// - ``record(_:)`` never waits: it copies the visit into a buffer of at most 1,000. All input and output happens on a
///   queue of its own, in transactions of many visits; the database is opened with the first of them.
/// - A crash, also in the middle of a write, loses at most what was not written yet, and never damages what was.
/// - A damaged database is set aside as `PATH.damaged`, in the place of an earlier one, and a new one is begun.
/// - What goes wrong is counted and reported, never thrown at the app's way through its screens.
///
/// One object for a file, and one process: two would both be right about visits and wrong about sessions.
public final class Journeys: Sendable {
    static let bufferLimit = 1000

    private let buffer = Locked(JourneyBuffer(limit: Journeys.bufferLimit))
    private let keeper: JourneyKeeper
    private let configuration: JourneysConfiguration
    private let now: @Sendable () -> Timestamp

    /// Creates journeys over a file, which is not touched before the first visit or question.
    ///
    /// - Parameters:
    ///   - path: the database; its folder has to exist. SQLite adds `-wal` and `-shm`, this type `.damaged` and
    ///     `.off`.
    ///   - configuration: how much is kept, and what a session and a paywall are.
    ///   - now: the moment of a visit and of a question.
    ///   - onReport: is told of what went wrong, never on the caller of ``record(_:)``.
    public init(
        path: String,
        configuration: JourneysConfiguration = JourneysConfiguration(),
        now: @escaping @Sendable () -> Timestamp = { .now },
        onReport: @escaping @Sendable (JourneysReport) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.now = now
        keeper = JourneyKeeper(path: path, configuration: configuration, onReport: onReport)
    }

    /// Decorates what events go to, so that each screen view is kept as well.
    public func remembering(_ track: @escaping @Sendable (EventDraft) -> Void) -> @Sendable (EventDraft) -> Void {
        { draft in
            self.record(draft)
            track(draft)
        }
    }

    /// Keeps a `screen_view` with a screen as of now; other events are none of its business. From any thread.
    public func record(_ draft: EventDraft) {
        guard draft.type == "screen_view", let screen = draft.screen, !screen.isEmpty else { return }
        let visit = ScreenVisit(
            screen: screen,
            time: now(),
            transition: draft.transition,
            isPaywall: draft.paywallSource != nil || configuration.paywalls.contains(screen)
        )
        guard buffer.withLock({ $0.add(visit) }) else { return }
        Task.detached(priority: .utility) { [buffer, keeper] in await keeper.drain(buffer) }
    }

    /// Returns when every visit recorded before the call is written, or reported as lost.
    public func flush() async {
        await keeper.drain(buffer)
    }

    /// Writes what is waiting and closes the file; the next visit or question opens it again.
    public func close() async {
        await keeper.drain(buffer)
        await keeper.close()
    }
}

extension Journeys {
    /// The most visited screens.
    ///
    /// - Parameters:
    ///   - days: how far back to look, in days of 24 hours.
    ///   - halfLife: after how many days a visit weighs half; recent ones so come first. Infinity weighs all the same.
    ///   - limit: how many screens at most.
    ///   - screens: what is left out, such as the home itself.
    /// - Returns: by weight, the heaviest first; of equal ones the one visited last.
    /// - Throws: ``JourneysError``.
    public func mostVisited(
        days: Int = 30,
        halfLife: Double = 7,
        limit: Int = 5,
        excluding screens: Set<String> = []
    ) async throws(JourneysError) -> [ScreenVisits] {
        let now = now()
        let history = try await history(since: now.before(days: days))
        return history.mostVisited(at: now, halfLifeInDays: halfLife, limit: limit, excluding: screens)
    }

    /// The screen that usually follows a screen, in the same session. Going back is not following.
    ///
    /// - Returns: `nil` where none ever did; of equal ones the one that did last.
    /// - Throws: ``JourneysError``.
    public func usualNext(after screen: String) async throws(JourneysError) -> String? {
        try await history(since: nil).usualNext(after: screen)
    }

    /// The screen on which the session before the current one stopped.
    ///
    /// The current session is that of the visits since this object was created, or, before the first of them, the one
    /// that will begin with it.
    ///
    /// - Returns: `nil` where there was no session before.
    /// - Throws: ``JourneysError``.
    public func lastStop() async throws(JourneysError) -> Stop? {
        let (history, session) = try await historyAndSession()
        return history.lastStop(before: session)
    }

    /// How often the paywall was seen, and when last.
    ///
    /// - Parameter days: how far back to look, in days of 24 hours; `nil` for all that is kept.
    /// - Throws: ``JourneysError``.
    public func paywallViews(days: Int? = nil) async throws(JourneysError) -> PaywallViews {
        let since = days.map { now().before(days: $0) }
        return try await history(since: since).paywallViews
    }

    private func history(since: Timestamp?) async throws(JourneysError) -> JourneyHistory {
        await keeper.drain(buffer)
        return try await keeper.history(since: since, at: now())
    }

    private func historyAndSession() async throws(JourneysError) -> (JourneyHistory, Int64) {
        await keeper.drain(buffer)
        return (try await keeper.history(since: nil, at: now()), try await keeper.currentSession(at: now()))
    }
}

extension Journeys {
    /// Stops keeping visits, for good, and deletes all that was kept: the database, what was set aside, and what waits in
    /// memory. It stays so over restarts, until ``optIn()``. Questions are answered as if nothing had ever been visited.
    ///
    /// - Throws: ``JourneysError`` where a file could not be deleted; no more visits are kept all the same.
    public func optOut() async throws(JourneysError) {
        buffer.withLock { $0.removeAll() }
        try await keeper.optOut()
        buffer.withLock { $0.removeAll() }
    }

    /// Keeps visits again, from now on.
    ///
    /// - Throws: ``JourneysError`` where the mark of the opt-out could not be deleted.
    public func optIn() async throws(JourneysError) {
        buffer.withLock { $0.removeAll() }
        try await keeper.optIn()
    }

    /// Whether visits are kept.
    public var isEnabled: Bool {
        get async { await !keeper.isOptedOut }
    }
}
