public import FlowEvents

/// Keeps what was sent to its sink, for tests: `Tracker(…, sink: .recording(recorder))`.
public final class EventRecorder: Sendable {
    private let delivered = Locked<[[EncodedEvent]]>([])
    fileprivate let answer: @Sendable (EncodedEvent) -> EventOutcome

    /// Creates a recorder.
    ///
    /// - Parameter answer: what the sink says of an event. Only what was delivered is recorded.
    public init(answer: @escaping @Sendable (EncodedEvent) -> EventOutcome = { _ in .delivered }) {
        self.answer = answer
    }

    /// The batches delivered so far, in their order, without the events that were not.
    public var batches: [[EncodedEvent]] { delivered.withLock { $0 } }

    /// The events delivered so far, read back from their JSON, in their order.
    ///
    /// - Throws: the rule that the bytes break, which no event of a tracker does.
    public var events: [Event] {
        get throws { try batches.joined().map { try Event(json: $0.value) } }
    }

    fileprivate func record(_ batch: [EncodedEvent]) -> [EventOutcome] {
        let outcomes = batch.map(answer)
        let kept = zip(batch, outcomes).compactMap { event, outcome in outcome == .delivered ? event : nil }
        if !kept.isEmpty { delivered.withLock { $0.append(kept) } }
        return outcomes
    }
}

extension EventSink {
    /// Keeps every event in memory, in `recorder`, for tests. It has no bound.
    public static func recording(_ recorder: EventRecorder) -> EventSink {
        EventSink(send: { batch in recorder.record(batch) })
    }
}
