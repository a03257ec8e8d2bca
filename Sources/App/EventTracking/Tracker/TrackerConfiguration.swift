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
