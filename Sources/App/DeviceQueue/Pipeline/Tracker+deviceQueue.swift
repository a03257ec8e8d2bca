public import EventTracking
public import FlowEvents

extension Tracker {
    /// Creates a tracker that stores its events on the device until they are delivered.
    ///
    /// ```swift
    /// let queue = DeviceQueue(DeviceQueueConfiguration(folder: folder))
    /// let tracker = Tracker(source: "app://com.example.shop", queue: queue, sink: .http(collector))
    /// ```
    ///
    /// The tracker also delivers events that earlier runs or other processes left in the queue, and starts immediately.
    /// Delays after failures continue across launches. When the sink accepts events again, the tracker reports lost
    /// events as events of the type `events_dropped`, one for each reason, with the properties `reason` and `count`.
    ///
    /// - Parameters:
    ///   - source: the CloudEvents `source` of all events: the app, such as `app://com.example.shop`.
    ///   - queue: stores events, install id, sequence and session. Use it with one tracker in each process.
    ///   - sink: the destination of the events. The tracker does not shut it down.
    ///   - configuration: when events are sent, and when sessions end. The limit on the number of events applies to
    ///     those that are not on the disk yet.
    ///   - filter: changes or drops events before they are queued.
    ///   - now: returns the time of an event. It is called on the thread that calls `track(_:)`.
    ///   - clock: measures the age of batches, the delays of retries, and deadlines.
    ///   - ids: makes the ids of events and sessions.
    ///   - jitter: returns a random number for the backoff, at least 0 and below 1.
    ///   - onReport: receives drops, retries, pauses, and errors of the disk. It is never called on the thread that calls
    ///     `track(_:)`.
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
        let pipeline = DevicePipeline(parts, queue: queue)
        self.init(parts, backend: pipeline, purchases: .file(path: queue.configuration.folder + "/purchases.json"))
        Task.detached(priority: .utility) { await pipeline.drain() }
    }
}
