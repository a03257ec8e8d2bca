public import Events

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
    private let intake: Intake
    private let worker: TrackerWorker
    private let delivery: Delivery
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
    ///   - now: the moment of an event, asked on the caller of ``track(_:)``.
    ///   - clock: what the age of batches, retries and the deadline of ``shutdown(deadline:)`` are measured by.
    ///   - ids: makes the ids of events, sessions and the install.
    ///   - jitter: a random number, at least 0 and below 1, for the backoff.
    ///   - onReport: is told of drops, retries and trouble with the identity, never on the caller of ``track(_:)``. It
    ///     holds up the tracker while it runs.
    public init(
        source: String,
        identity: IdentityStore,
        sink: EventSink,
        configuration: TrackerConfiguration = TrackerConfiguration(),
        now: @escaping @Sendable () -> Timestamp = { .now },
        clock: any Clock<Duration> = ContinuousClock(),
        ids: IDGenerator = .uuidV7(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        onReport: @escaping @Sendable (TrackerReport) -> Void = { _ in }
    ) {
        self.now = now
        timeline = Timeline(clock)
        ledger = Ledger(onReport: onReport)
        intake = Intake(limit: configuration.batching.maximumQueueCount)
        delivery = Delivery(
            sink: sink,
            configuration: configuration.batching,
            timeline: timeline,
            jitter: jitter,
            ledger: ledger
        )
        worker = TrackerWorker(
            intake: intake,
            delivery: delivery,
            store: identity,
            ledger: ledger,
            ids: ids,
            now: now,
            makeStamper: { identity in
                EventStamper(
                    source: source,
                    sessionTimeout: configuration.sessionTimeout,
                    ids: ids,
                    identity: identity
                )
            }
        )
    }

    /// Tracks an event as of now. Never waits, neither for input or output nor for another task.
    ///
    /// Whether the event keeps the contract is found out later; one that does not is dropped, counted and reported.
    public func track(_ draft: EventDraft) {
        switch intake.add(draft, at: now()) {
        case .nothing: break
        case .start: Task.detached(priority: .utility) { [worker] in await worker.run() }
        case .hurry: Task.detached(priority: .utility) { [worker] in await worker.drain() }
        }
    }

    /// Sets whose events those are that are tracked from now on; `nil` after a logout.
    public func identify(userID: String?) {
        intake.identify(userID)
    }

    /// Sends everything that was tracked before the call, without waiting for more.
    ///
    /// Returns when each of these events is delivered or dropped. Where the sink asks for another attempt it returns
    /// after the first, and the events stay queued; ``statistics`` tells.
    public func flush() async {
        await worker.drain()
        await delivery.flush()
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
        let timer = Task { [timeline, delivery] in
            do { try await timeline.sleep(until: end) } catch { return }
            await delivery.abandon()
        }
        await worker.drain()
        await delivery.flush(isPersistent: true)
        timer.cancel()
        return ShutdownReport(statistics: statistics)
    }

    /// What became of the events so far.
    public var statistics: TrackerStatistics {
        // In this order: what is settled after the first look was tracked before the second, so `queued` is never negative.
        var statistics = ledger.settled
        statistics.tracked = intake.tracked
        return statistics
    }
}
