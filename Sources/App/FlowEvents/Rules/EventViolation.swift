/// The first rule of the contract that an event breaks.
public struct EventViolation: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which kind of rule, for programs: the dead letter's `dlq.reason`.
    public let reason: DeadLetterReason
    /// What was found where and what was expected, for people: the dead letter's `dlq.detail`. It names fields and
    /// never repeats what the event says about its user.
    public let detail: String

    /// Creates a violation.
    public init(reason: DeadLetterReason, detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// Reason and detail in one line.
    public var description: String { "\(reason.rawValue): \(detail)" }
}

/// Why an event is not valid, as the header `dlq.reason` of a dead letter says it.
public enum DeadLetterReason: String, Sendable, Hashable, CaseIterable {
    /// Not UTF-8, not JSON by RFC 8259, or nothing at all.
    case notJSON = "not_json"
    /// JSON, but not an object whose `specversion` is `"1.0"`; a CloudEvents batch too.
    case notCloudEvents = "not_cloudevents"
    /// A required field is absent or `null`.
    case missingField = "missing_field"
    /// A field is there, but not as the contract says.
    case invalidField = "invalid_field"
    /// `time` is more than 24 hours after the record's timestamp.
    case futureTime = "future_time"
    /// The value is larger than 1 MiB.
    case tooLarge = "too_large"
}
