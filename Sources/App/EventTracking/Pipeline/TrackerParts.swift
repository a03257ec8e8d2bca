package import FlowEvents

/// What a tracker and its backend share, whatever the backend keeps events in.
package struct TrackerParts: Sendable {
    package let buffer: TrackerBuffer
    package let ledger: Ledger
    package let timeline: Timeline
    package let sink: EventSink
    package let batching: BatchingConfiguration
    package let filter: EventFilter
    package let now: @Sendable () -> Timestamp
    package let jitter: @Sendable () -> Double
    package let ids: IDGenerator
    package let asksForConsent: Bool
    private let source: String
    private let sessionTimeout: Duration

    /// The parameters are those of ``Tracker``.
    package init(
        source: String,
        sink: EventSink,
        configuration: TrackerConfiguration,
        filter: EventFilter,
        now: @escaping @Sendable () -> Timestamp,
        clock: any Clock<Duration>,
        ids: IDGenerator,
        jitter: @escaping @Sendable () -> Double,
        onReport: @escaping @Sendable (TrackerReport) -> Void
    ) {
        self.source = source
        self.sink = sink
        self.filter = filter
        self.now = now
        self.ids = ids
        self.jitter = jitter
        batching = configuration.batching
        asksForConsent = configuration.asksForConsent
        sessionTimeout = configuration.sessionTimeout
        timeline = Timeline(clock)
        ledger = Ledger(onReport: onReport)
        buffer = TrackerBuffer(limit: batching.maximumQueueCount, sessionTimeout: sessionTimeout)
    }

    /// Makes the stamper of an identity as soon as that is known.
    ///
    /// - Parameters:
    ///   - identity: the identity.
    ///   - isLaunch: whether no event of this run was stamped yet.
    package func makeStamper(_ identity: Identity, isLaunch: Bool = true) -> EventStamper {
        EventStamper(
            source: source,
            sessionTimeout: sessionTimeout,
            ids: ids,
            identity: identity,
            isLaunch: isLaunch
        )
    }

    /// Makes the request to erase an install. No filter sees it, and it has no session, user or sequence.
    func erasureRequest(of installID: String, at moment: Timestamp) -> Event {
        Event(id: ids(at: moment), source: source, type: ErasureRequest.eventType, time: moment, installID: installID)
    }
}
