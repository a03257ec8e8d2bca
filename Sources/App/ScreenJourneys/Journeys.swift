public import EventTracking
public import FlowEvents

/// Records the screens that one person visits, only on the device, for example for a personal home screen.
///
/// ```swift
/// let journeys = Journeys(path: "journeys.sqlite")
/// let screens = ScreenTracker(sessions: { tracker.sessionProgress }, track: journeys.remembering(tracker.track))
/// let shortcuts = try await journeys.mostVisited(days: 30, excluding: ["home"])
/// ```
///
/// - ``record(_:)`` never waits. It copies the visit into a buffer of at most 1,000 visits. A separate thread does the
///   I/O, in transactions of many visits, and opens the database for the first one.
/// - A crash, also during a write, loses only visits that were not written yet.
/// - A damaged database is moved to `PATH.damaged`, and a new one replaces it.
/// - ``record(_:)`` throws no errors; they are passed to `onReport`.
///
/// Use one object in one process for a file. Two objects would count sessions wrongly. Keep the file out of app group
/// folders: iOS ends a suspended app that holds a lock there.
public final class Journeys: Sendable {
    static let bufferLimit = 1000

    private let buffer = Locked(JourneyBuffer(limit: Journeys.bufferLimit))
    private let keeper: JourneyKeeper
    private let configuration: JourneysConfiguration
    private let now: @Sendable () -> Timestamp

    /// Creates journeys that are stored in a file. The file is opened at the first visit or query.
    ///
    /// - Parameters:
    ///   - path: the path of the database. Its folder must exist. Other files have the same path with the suffix `-wal`,
    ///     `-shm`, `.damaged` or `.off`.
    ///   - configuration: how many visits are kept, and what counts as a session and as a paywall.
    ///   - now: returns the time of a visit or a query.
    ///   - onReport: receives errors. It is never called on the thread that calls ``record(_:)``.
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

    /// Returns a function that records each screen view and then calls `track`.
    ///
    /// ```swift
    /// let screens = ScreenTracker(sessions: { tracker.sessionProgress }, track: journeys.remembering(tracker.track))
    /// ```
    public func remembering(_ track: @escaping @Sendable (EventDraft) -> Void) -> @Sendable (EventDraft) -> Void {
        { draft in
            self.record(draft)
            track(draft)
        }
    }

    /// Records a `screen_view` that has a screen, with the current time. Ignores other events. Call it from any thread.
    public func record(_ draft: EventDraft) {
        guard draft.type == "screen_view", let screen = draft.screen, !screen.isEmpty else { return }
        var visit = ScreenVisit(
            screen: screen,
            time: now(),
            transition: draft.transition,
            isPaywall: draft.paywallSource != nil || configuration.paywalls.contains(screen)
        )
        if case .string(let item)? = draft.properties[configuration.itemProperty] { visit.item = item }
        guard buffer.withLock({ $0.add(visit) }) else { return }
        Task.detached(priority: .utility) { [buffer, keeper] in await keeper.drain(buffer) }
    }

    /// Returns when all visits recorded before the call are written, or reported as lost.
    public func flush() async {
        await keeper.drain(buffer)
    }

    /// Writes the waiting visits and closes the file. The next visit or query opens it again.
    public func close() async {
        await keeper.drain(buffer)
        await keeper.close()
    }
}

extension Journeys {
    /// Returns the most visited screens.
    ///
    /// - Parameters:
    ///   - days: how far back to look, in days of 24 hours.
    ///   - halfLife: the number of days after which the weight of a visit halves. Infinity gives all visits the same weight.
    ///   - limit: the maximum number of screens.
    ///   - screens: the screens to leave out, such as the home screen itself.
    /// - Returns: the screens by weight, highest first. For equal weights, the one visited last comes first.
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

    /// Returns the screen that most often follows a screen in the same session. Going back does not count.
    ///
    /// - Returns: `nil` if no screen ever followed. For equal numbers, the screen that followed last.
    /// - Throws: ``JourneysError``.
    public func usualNext(after screen: String) async throws(JourneysError) -> String? {
        try await history(since: nil).usualNext(after: screen)
    }

    /// Returns the last screen of the previous session.
    ///
    /// The current session begins with the first visit after the creation of this object. Before that visit, the previous
    /// session is the last one in the file.
    ///
    /// - Returns: `nil` if there is no previous session.
    /// - Throws: ``JourneysError``.
    public func lastStop() async throws(JourneysError) -> Stop? {
        let (history, session) = try await historyAndSession()
        return history.lastStop(before: session)
    }

    /// Returns the last screen that showed an item, with the item, so that the person can continue there.
    ///
    /// ```swift
    /// if let stop = try await journeys.lastItem(on: "article"), let id = stop.item {
    ///     Builders.article(id: id) |> flow.present
    /// }
    /// ```
    ///
    /// - Parameter screen: the name of the screen; `nil` for any screen.
    /// - Returns: `nil` if no stored visit has an item.
    /// - Throws: ``JourneysError``.
    public func lastItem(on screen: String? = nil) async throws(JourneysError) -> Stop? {
        try await history(since: nil).lastItem(on: screen)
    }

    /// Returns the number of paywall views and the time of the last one.
    ///
    /// - Parameter days: how far back to look, in days of 24 hours; `nil` for all stored visits.
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
    /// Stops recording, and deletes all visits: the database, a damaged one, and the waiting visits. This holds for later
    /// launches too, until ``optIn()``. Queries return results without visits.
    ///
    /// - Throws: ``JourneysError`` if a file cannot be deleted. Recording stops nevertheless.
    public func optOut() async throws(JourneysError) {
        buffer.withLock { $0.removeAll() }
        try await keeper.optOut()
        buffer.withLock { $0.removeAll() }
    }

    /// Deletes all visits, as ``optOut()`` does, and goes on recording. Whoever has opted out stays out.
    ///
    /// - Throws: ``JourneysError`` if a file cannot be deleted. Call it again then.
    public func erase() async throws(JourneysError) {
        buffer.withLock { $0.removeAll() }
        try await keeper.erase()
    }

    /// Starts to record again.
    ///
    /// - Throws: ``JourneysError`` if the mark of the opt-out cannot be deleted.
    public func optIn() async throws(JourneysError) {
        buffer.withLock { $0.removeAll() }
        try await keeper.optIn()
    }

    /// Whether visits are recorded.
    public var isEnabled: Bool {
        get async { await !keeper.isOptedOut }
    }
}
