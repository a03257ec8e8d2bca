public import FlowEvents

/// What an ``EventSink`` knows of the other side's clock.
public enum SinkClock: Sendable, Hashable {
    /// The sink has no clock to ask: a file, a test.
    case none
    /// What the other side's clock showed while the question was on its way.
    case reading(Timestamp)
    /// The other side cannot be asked now. Nothing should be sent before it can; the outcome says when to try again.
    case unavailable(EventOutcome)
}
