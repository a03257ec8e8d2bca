public import FlowEvents

/// What became of reading one record's value.
public enum EventReading<Success> {
    /// The value is an event that keeps every rule; this is what was made of it.
    case valid(Success)
    /// The value breaks a rule, and the record belongs into the dead-letter topic.
    case deadLetter(EventViolation)
}

extension EventReading: Sendable where Success: Sendable {}
