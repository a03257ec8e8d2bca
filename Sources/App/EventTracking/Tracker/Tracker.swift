public import FlowEvents

/// Takes what happens in an app and sees it to a sink: with ids, session and sequence, encoded, in batches, with retries.
///
/// ```swift
/// let sink = EventSink.file(path: "events.ndjson")
/// let tracker = Tracker(source: "app://com.example.shop", identity: .file(path: "identity.json"), sink: sink)
/// tracker.track(EventDraft(type: "search", properties: ["results": 12]))
/// let report = await tracker.shutdown(deadline: .seconds(5))
/// await sink.shutdown()
/// ```
///
/// - ``track(_:)`` may be called from any thread. It reads the clock, copies the draft into a buffer and at most wakes
///   the worker; all else happens on the worker, at utility priority.
/// - Nothing is lost silently: `tracked` is always `delivered` + `dropped` + `queued`, and each drop has its reason.
/// - An idle tracker has no thread, task or timer, so that a process may have many thousands.
/// - Events that were tracked are sent also when the tracker itself is gone.
public final class Tracker: Sendable {
    private let intake: TrackerBuffer
    private let backend: any TrackerBackend
    private let ledger: Ledger
    private let timeline: Timeline
    private let now: @Sendable () -> Timestamp

    /// Creates a tracker.
    ///
    /// - Parameters:
    ///   - source: the CloudEvents `source` of its events: the app, such as `app://com.example.shop`.
    ///   - identity: where install id, sequence and session are kept. Each tracker needs one of its own.
    ///   - sink: where events go. It may be shared; the tracker does not shut it down.
    ///   - configuration: when events are sent, how many may wait, when sessions end.
    ///   - filter: what the app lets out.
    ///   - now: the moment of an event, asked on the caller of ``track(_:)``.
    ///   - clock: what the age of batches, retries and the deadline of ``shutdown(deadline:)`` are measured by.
    ///   - ids: makes the ids of events, sessions and the install.
    ///   - jitter: a random number, at least 0 and below 1, for the backoff.
    ///   - onReport: is told of drops, retries and trouble with the identity, never on the caller of ``track(_:)``. It
    ///     holds up the tracker while it runs.
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
        let timeline = Timeline(clock)
        let ledger = Ledger(onReport: onReport)
        let intake = TrackerBuffer(limit: configuration.batching.maximumQueueCount)
        let delivery = Delivery(
            sink: sink,
            configuration: configuration.batching,
            timeline: timeline,
            jitter: jitter,
            ledger: ledger
        )
        let worker = TrackerWorker(
            intake: intake,
            delivery: delivery,
            store: identity,
            ledger: ledger,
            ids: ids,
            filter: filter,
            now: now,
            makeStamper: EventStamper.factory(source: source, configuration: configuration, ids: ids)
        )
        self.init(
            intake: intake,
            backend: MemoryBackend(intake: intake, worker: worker, delivery: delivery),
            ledger: ledger,
            timeline: timeline,
            now: now
        )
    }

    /// Creates a tracker in front of a backend.
    package init(
        intake: TrackerBuffer,
        backend: any TrackerBackend,
        ledger: Ledger,
        timeline: Timeline,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.intake = intake
        self.backend = backend
        self.ledger = ledger
        self.timeline = timeline
        self.now = now
    }

    /// Tracks an event as of now. Never waits, neither for input or output nor for another task.
    ///
    /// Whether the event keeps the contract is found out later; one that does not is dropped, counted and reported.
    public func track(_ draft: EventDraft) {
        switch intake.add(draft, at: now()) {
        case .nothing: break
        case .start: Task.detached(priority: .utility) { [backend] in await backend.run() }
        case .hurry: Task.detached(priority: .utility) { [backend] in _ = await backend.drain() }
        }
    }

    /// Sets whose events those are that are tracked from now on; `nil` after a logout.
    public func identify(userID: String?) {
        intake.identify(userID)
    }

    /// Forgets the user, as after a logout: what is tracked from now on has no user id and begins a new session. The
    /// install stays what it is.
    public func reset() {
        intake.reset()
    }

    /// Switches tracking off, over restarts too: drops what is queued and what is tracked from now on, and forgets the
    /// install id and its sequence.
    ///
    /// What was already sent cannot be called back.
    ///
    /// - Throws: where the choice could not be kept. Nothing more is sent in this run; call again for the next.
    public func optOut() async throws {
        try await backend.setOptedOut(true)
    }

    /// Switches tracking on again, with a new install id. Nothing happens where it is on.
    ///
    /// - Throws: where the choice could not be kept; it holds for this run.
    public func optIn() async throws {
        try await backend.setOptedOut(false)
    }

    /// Returns when everything that was tracked before the call is queued: with a queue on the device, on the disk.
    ///
    /// - Returns: whether it is, but for what was dropped with a reason. Without a queue on the device always `true`;
    ///   with one `false` while the disk cannot be written: events wait in memory then, and a crash would lose them.
    @discardableResult
    public func store() async -> Bool {
        await backend.drain()
    }

    /// Sends again after the sink has paused the tracker; see ``EventOutcome/pause(_:)``.
    public func resume() async {
        await backend.resume()
    }

    /// Sends everything that was tracked before the call, without waiting for more.
    ///
    /// Returns when each of these events is delivered or dropped. Where the sink asks for another attempt it returns
    /// after the first, and the events stay queued; ``statistics`` tells.
    public func flush() async {
        _ = await backend.drain()
        await backend.flush(isPersistent: false)
    }

    /// Sends everything that was tracked, with the usual retries, until the deadline; then gives up what is left.
    ///
    /// What is tracked after the call begins is dropped with the reason ``DropReason/shutdown``. Calling it again is
    /// harmless.
    ///
    /// - Parameter deadline: how long it may take, by the tracker's clock.
    public func shutdown(deadline: Duration = .seconds(5)) async -> ShutdownReport {
        intake.close()
        let end = timeline.elapsed + deadline
        let timer = Task { [timeline, backend] in
            do { try await timeline.sleep(until: end) } catch { return }
            await backend.abandon()
        }
        _ = await backend.drain()
        await backend.flush(isPersistent: true)
        timer.cancel()
        return ShutdownReport(statistics: statistics)
    }

    /// What became of the events so far.
    public var statistics: TrackerStatistics {
        // In this order: what is settled after the first look was tracked before the second, so `queued` is never negative.
        var statistics = ledger.settled
        statistics.tracked = backend.tracked
        return statistics
    }
}
