public import FlowEvents

/// Sends an app's events to a sink: adds ids, session and sequence number, encodes, batches, and retries.
///
/// ```swift
/// let sink = EventSink.file(path: "events.ndjson")
/// let tracker = Tracker(source: "app://com.example.shop", identity: .file(path: "identity.json"), sink: sink)
/// tracker.track(EventDraft(type: "search", properties: ["results": 12]))
/// let report = await tracker.shutdown(deadline: .seconds(5))
/// await sink.shutdown()
/// ```
///
/// - ``track(_:)`` may be called from any thread. It reads the clock, copies the draft into a buffer, and wakes the worker
///   if necessary. The worker does everything else, at utility priority.
/// - No event is lost silently: each tracked event is delivered, dropped with a reason, or still queued.
/// - An idle tracker has no thread, task or timer. A process may have many thousands of trackers.
/// - Tracked events are sent even after the tracker is deallocated.
public final class Tracker: Sendable {
    private let buffer: TrackerBuffer
    private let backend: any TrackerBackend
    private let ledger: Ledger
    private let timeline: Timeline
    private let now: @Sendable () -> Timestamp
    /// Counts the app's purchases, each once. `FlowStoreKit` uses it.
    public let purchases: PurchaseJournal

    /// Creates a tracker.
    ///
    /// - Parameters:
    ///   - source: the CloudEvents `source` of all events: the app, such as `app://com.example.shop`.
    ///   - identity: stores the install id, the sequence and the session. Each tracker needs its own.
    ///   - sink: the destination of the events. It may be shared. The tracker does not shut it down.
    ///   - configuration: when events are sent, how many may wait, and when sessions end.
    ///   - filter: changes or drops events before they are queued.
    ///   - now: returns the time of an event. It is called on the thread that calls ``track(_:)``.
    ///   - clock: measures the age of batches, the delays of retries, and the deadline of ``shutdown(deadline:)``.
    ///   - ids: makes the ids of events, sessions and the install.
    ///   - jitter: returns a random number for the backoff, at least 0 and below 1.
    ///   - onReport: receives drops, retries, and errors of the identity store. It is never called on the thread that
    ///     calls ``track(_:)``. The tracker waits while it runs.
    public convenience init(
        source: String,
        identity: IdentityStore,
        sink: EventSink,
        configuration: TrackerConfiguration = TrackerConfiguration(),
        filter: EventFilter = .everything,
        now: @escaping @Sendable () -> Timestamp = RunClock.started(),
        clock: any Clock<Duration> = ContinuousClock(),
        ids: IDGenerator = .uuidV7(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        onReport: @escaping @Sendable (TrackerReport) -> Void = { _ in }
    ) {
        let parts = TrackerParts(
            source: source,
            sink: sink,
            configuration: configuration,
            filter: filter,
            now: now,
            clock: clock,
            ids: ids,
            jitter: jitter,
            onReport: onReport
        )
        let backend = MemoryBackend(parts, store: identity)
        self.init(parts, backend: backend, purchases: identity.purchases)
        backend.sendOldErasures()
    }

    /// Creates a tracker in front of a backend.
    package init(_ parts: TrackerParts, backend: any TrackerBackend, purchases: PurchaseStorage) {
        self.backend = backend
        buffer = parts.buffer
        ledger = parts.ledger
        timeline = parts.timeline
        now = parts.now
        self.purchases = PurchaseJournal(
            storage: purchases,
            PurchaseJournal.Surroundings(
                install: { await backend.install() },
                store: { _ = await backend.drain(isForced: false) },
                now: parts.now,
                report: { [ledger = parts.ledger] error in ledger.report(.storage(error)) }
            )
        )
    }

    /// The install id, such as for the attribute `install_id` of a store's service, or as StoreKit's `appAccountToken`.
    ///
    /// Returns after all events tracked before are queued. `nil` if the user has opted out, or if it cannot be read now.
    public var installID: String? {
        get async { await backend.install().id }
    }

    /// Tracks an event with the current time. It never waits for I/O or for another task.
    ///
    /// The worker checks the event later. An invalid event is dropped, counted and reported.
    public func track(_ draft: EventDraft) { take(draft) }

    /// Tracks an event as ``track(_:)`` does, and moves the draft: copying one counts a reference to each of its texts.
    package func take(_ draft: consuming EventDraft) {
        wake(buffer.add(draft, at: now()))
    }

    private func wake(_ wake: TrackerBuffer.Wake) {
        switch wake {
        case .nothing: break
        case .start: Task.detached(priority: .utility) { [backend] in await backend.run() }
        case .hurry: Task.detached(priority: .utility) { [backend] in _ = await backend.drain(isForced: false) }
        }
    }

    /// Sets the user id of all events tracked from now on, in later launches, too; `nil` for no user.
    ///
    /// It is at most 1,024 bytes of UTF-8 and not empty. Another one is refused and reported as
    /// ``TrackerReport/omitted(_:)``: later events then have no user, rather than the one before.
    public func identify(userID: String?) {
        let flaw = userID.flatMap(Omission.flaw)
        wake(buffer.identify(flaw == nil ? userID : nil))
        guard let flaw else { return }
        // Not on the thread of the caller.
        Task.detached(priority: .utility) { [ledger] in ledger.report(.omitted(flaw)) }
    }

    /// Removes the user id and begins a new session with the next event, as after a logout. The install id does not
    /// change.
    public func reset() {
        wake(buffer.identify(nil, beginsSession: true))
    }

    /// Switches tracking off, also for later launches: drops queued events and events tracked from now on, and deletes the
    /// install id and its sequence.
    ///
    /// Events that were already sent cannot be recalled.
    ///
    /// - Throws: an error if the choice could not be saved. This run sends nothing more. Call again to save the choice for
    ///   the next launch.
    public func optOut() async throws {
        await purchases.optOut()
        try await backend.setOptedOut(true)
    }

    /// Switches tracking on: after ``optOut()`` with a new install id; where consent is pending, it sends the events that
    /// wait. Otherwise it changes nothing.
    ///
    /// - Throws: an error if the choice could not be saved. It holds for this run then; with a queue on the device, tracking
    ///   stays off.
    public func optIn() async throws {
        if case .optedOut = await backend.install() { await purchases.beginAnew() }
        try await backend.setOptedOut(false)
    }

    /// Asks for everything that is known of this install to be erased, and begins a new install.
    ///
    /// ```swift
    /// try await tracker.requestErasure()  // "Delete my data" was tapped
    /// ```
    ///
    /// - The request is an event of the type `erasure_request`. The tracker saves it before the call returns, and sends it until
    ///   the sink takes it: also in later launches, with a full queue, and after ``optOut()``. The consumer then removes the
    ///   install and all its events from all funnels.
    /// - Events that wait on the device or in memory are dropped, with the reason ``DropReason/erased``. An event that is tracked
    ///   while the call runs is dropped, too, or belongs to the new install. The sink may still deliver what it was given
    ///   before; the consumer removes that as well.
    /// - The new install has a new id, a new session, sequence numbers from 0, and no user. The tracker forgets the purchases
    ///   that it remembered. Consent stays.
    /// - A paywall that is open during the call belongs to the old install. A later purchase on it has no `presentation_id`, and
    ///   it sends no `paywall_close`.
    ///
    /// The app deletes what it has stored itself. With `ScreenJourneys`, call `requestErasure(erasing:)` of that module
    /// instead.
    ///
    /// - Throws: ``ErasureRequestError`` if the request could not be saved; nothing has changed then. Another error if the new
    ///   install could not be saved: then the request is kept, no event gets the old install id, and events wait until the
    ///   new install can be saved.
    public func requestErasure() async throws {
        // First, so that a crash in between leaves a request that the app makes again, rather than purchases without one.
        if case .known = await backend.install() { await purchases.beginAnew() }
        try await backend.requestErasure()
    }

    /// Whether the user has agreed to tracking, as it is saved.
    public var consent: Consent {
        get async { await backend.consent() }
    }

    /// Stores all events tracked before the call, also in the background while the queue on the device is suspended, as when
    /// a silent push has woken the app.
    ///
    /// - Returns: whether every event that was tracked and not dropped survives the end of the process. `false` while the disk
    ///   cannot be written, which is reported; the events then wait in memory. Without a queue on the device `true` only where
    ///   nothing is left to deliver.
    @discardableResult
    public func store() async -> Bool {
        await backend.drain(isForced: true)
    }

    /// Continues to send after the sink paused the tracker; see ``EventOutcome/pause(_:)``.
    public func resume() async {
        await backend.resume()
    }

    /// Sends all events tracked before the call, without waiting for a full batch.
    ///
    /// Returns when each of these events is delivered or dropped. If the sink asks for another attempt, the call returns
    /// after the first one, and the events stay queued; see ``statistics``.
    public func flush() async {
        _ = await backend.drain(isForced: false)
        await backend.flush(isPersistent: false)
    }

    /// Sends all tracked events, with the usual retries, until the deadline. Then drops the rest.
    ///
    /// Events tracked after the call begins are dropped with the reason ``DropReason/shutdown``. Further calls do no harm.
    ///
    /// - Parameter deadline: the maximum duration, by the tracker's clock.
    public func shutdown(deadline: Duration = .seconds(5)) async -> ShutdownReport {
        buffer.close()
        let end = timeline.elapsed + deadline
        let timer = Task { [timeline, backend] in
            do { try await timeline.sleep(until: end) } catch { return }
            await backend.abandon()
        }
        _ = await backend.drain(isForced: false)
        await backend.flush(isPersistent: true)
        timer.cancel()
        return ShutdownReport(statistics: statistics)
    }

    /// The number of the last event's session, and of the session of an event that is tracked now. They differ if an event
    /// that is tracked now begins a session.
    ///
    /// An event that a filter drops does not count once the filter has seen it.
    public var sessionProgress: SessionProgress { buffer.sessionProgress(at: now()) }

    /// The number of tracked, delivered and dropped events.
    public var statistics: TrackerStatistics {
        // In this order, `queued` is never negative: events settled before the first line were tracked before the second.
        var statistics = ledger.settled
        statistics.tracked = backend.tracked
        return statistics
    }
}
