/// How a ``Tracker`` batches and when its sessions end.
public struct TrackerConfiguration: Sendable, Hashable {
    /// When events are sent and how many may wait.
    public var batching: BatchingConfiguration
    /// A new session begins when this long passes without an event.
    public var sessionTimeout: Duration

    /// Creates a configuration; the defaults suit an app on a phone.
    public init(
        batching: BatchingConfiguration = BatchingConfiguration(),
        sessionTimeout: Duration = .seconds(30 * 60)
    ) {
        self.batching = batching
        self.sessionTimeout = sessionTimeout
    }
}

/// When a tracker sends what it has queued, and how much it may queue.
public struct BatchingConfiguration: Sendable, Hashable {
    /// A batch is sent when so many events wait, and has no more; at least 1.
    ///
    /// Some hundreds suit a phone. A server that publishes to Kafka does best with 1,000 to 10,000.
    public var maximumBatchCount: Int
    /// A batch is sent when the waiting events weigh so many bytes, and weighs no more unless one event alone does.
    public var maximumBatchBytes: Int
    /// No event waits longer than this for others to share its batch.
    public var maximumAge: Duration
    /// How many events may be queued, those on their way included; at least 1. Past it the oldest that is not on its way
    /// is dropped.
    ///
    /// As many may wait for the tracker's worker, not yet encoded, and as many again be in its hands.
    public var maximumQueueCount: Int
    /// How many bytes the queued events may weigh. Past it the oldest that is not on its way is dropped.
    public var maximumQueueBytes: Int
    /// How long to wait after a failure that may pass.
    public var backoff: Backoff

    /// Creates a configuration; the defaults suit an app on a phone.
    public init(
        maximumBatchCount: Int = 500,
        maximumBatchBytes: Int = 512 * 1024,
        maximumAge: Duration = .seconds(10),
        maximumQueueCount: Int = 10_000,
        maximumQueueBytes: Int = 16 * 1024 * 1024,
        backoff: Backoff = Backoff()
    ) {
        self.maximumBatchCount = max(1, maximumBatchCount)
        self.maximumBatchBytes = maximumBatchBytes
        self.maximumAge = maximumAge
        self.maximumQueueCount = max(1, maximumQueueCount)
        self.maximumQueueBytes = maximumQueueBytes
        self.backoff = backoff
    }
}
