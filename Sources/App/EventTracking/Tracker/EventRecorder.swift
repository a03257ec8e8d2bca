public import FlowEvents

/// Records the events that a sink delivers, for tests.
///
/// ```swift
/// let recorder = EventRecorder()
/// let tracker = Tracker(source: "app://test", identity: .memory(), sink: .recording(recorder))
/// tracker.track(EventDraft(type: "search"))
/// await tracker.flush()
/// let types = try recorder.events.map(\.type)  // ["search"]
/// ```
public final class EventRecorder: Sendable {
    private let delivered = Locked<[[EncodedEvent]]>([])
    fileprivate let answer: @Sendable (EncodedEvent) -> EventOutcome

    /// Creates a recorder.
    ///
    /// - Parameter answer: returns the outcome of an event. Only delivered events are recorded.
    public init(answer: @escaping @Sendable (EncodedEvent) -> EventOutcome = { _ in .delivered }) {
        self.answer = answer
    }

    /// The delivered events of each batch, in order.
    public var batches: [[EncodedEvent]] { delivered.withLock { $0 } }

    /// The delivered events, decoded from their JSON, in order.
    ///
    /// - Throws: the rule that an event breaks. Events of a tracker are always valid.
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
    /// Records every event in `recorder`, for tests. The number of events is not limited.
    public static func recording(_ recorder: EventRecorder) -> EventSink {
        EventSink(send: { batch in recorder.record(batch) })
    }
}
