public import FlowEvents

/// The settings of a ``Tracker``.
public struct TrackerConfiguration: Sendable, Hashable {
    /// When events are sent, and how many may wait.
    public var batching: BatchingConfiguration
    /// A new session begins after this duration without an event, or 24 hours after the session began.
    public var sessionTimeout: Duration
    /// Whether nothing is sent before the user has agreed.
    ///
    /// Until ``Tracker/optIn()`` or ``Tracker/optOut()`` is called in some launch, ``Tracker/consent`` is
    /// ``Consent/pending``: events wait, within the limits of the queue. A queue on the device keeps them over launches, and
    /// memory does not. `optIn()` sends them, `optOut()` erases them.
    public var asksForConsent: Bool

    /// Creates a configuration; the defaults suit an app on a phone.
    public init(
        batching: BatchingConfiguration = BatchingConfiguration(),
        sessionTimeout: Duration = .seconds(30 * 60),
        asksForConsent: Bool = false
    ) {
        self.batching = batching
        self.sessionTimeout = sessionTimeout
        self.asksForConsent = asksForConsent
    }
}

/// When a tracker sends its queued events, and how many it may queue.
public struct BatchingConfiguration: Sendable, Hashable {
    /// The maximum number of events in a batch; at least 1. A batch is sent when this many events wait.
    ///
    /// A few hundred suit a phone. For a server that publishes to Kafka, 1,000 to 10,000 are fastest.
    public var maximumBatchCount: Int
    /// The maximum size of a batch in bytes; a larger event is sent alone. A batch is sent when the waiting events have
    /// this size.
    public var maximumBatchBytes: Int
    /// The maximum time that an event waits for its batch to fill up.
    public var maximumAge: Duration
    /// The maximum number of queued events, including those in flight; at least 1. Beyond it, the oldest event that is not
    /// in flight is dropped.
    ///
    /// The same number may also wait to be encoded, and the same number may be in the process of encoding.
    public var maximumQueueCount: Int
    /// The maximum size of the queued events in bytes. Beyond it, the oldest event that is not in flight is dropped.
    public var maximumQueueBytes: Int
    /// The delay after a failure that can pass.
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
