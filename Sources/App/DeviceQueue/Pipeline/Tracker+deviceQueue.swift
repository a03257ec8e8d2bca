public import EventTracking
public import FlowEvents

extension Tracker {
    /// Creates a tracker whose events are on the device's disk before they count as tracked.
    ///
    /// What an earlier run or another process has left in the queue is delivered too, beginning at once. The waits after
    /// failures go on over restarts. Counts of lost events go out as events of the type `events_dropped`, one for each
    /// reason, with the properties `reason` and `count`, when the sink takes events again.
    ///
    /// - Parameters:
    ///   - source: the CloudEvents `source` of its events: the app, such as `app://com.example.shop`.
    ///   - queue: where events, install id, sequence and session are kept. One tracker in each process uses it.
    ///   - sink: where events go. The tracker does not shut it down.
    ///   - configuration: when events are sent, when sessions end. The bound on the count of events is for those that
    ///     are not on the disk yet.
    ///   - filter: what the app lets out.
    ///   - now: the moment of an event, asked on the caller of ``Tracker/track(_:)``.
    ///   - clock: what the age of batches, retries and deadlines are measured by.
    ///   - ids: makes the ids of events and sessions.
    ///   - jitter: a random number, at least 0 and below 1, for the backoff.
    ///   - onReport: is told of drops, retries, pauses and trouble with the disk, never on the caller of
    ///     ``Tracker/track(_:)``.
    public convenience init(
        source: String,
        queue: DeviceQueue,
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
        let pipeline = DevicePipeline(
            DevicePipeline.Parts(
                intake: intake,
                ledger: ledger,
                queue: queue,
                sink: sink,
                batching: configuration.batching,
                timeline: timeline,
                filter: filter,
                now: now,
                jitter: jitter,
                makeStamper: EventStamper.factory(source: source, configuration: configuration, ids: ids)
            )
        )
        self.init(intake: intake, backend: pipeline, ledger: ledger, timeline: timeline, now: now)
        Task.detached(priority: .utility) { await pipeline.drain() }
    }
}
