/// The first of the rules of ``EventRules`` that an event breaks.
public struct EventViolation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of rule, for programs: the header `dlq.reason` of a dead letter.
    public let reason: DeadLetterReason
    /// The field, the expected value and the actual type, for people: the header `dlq.detail` of a dead letter. It never
    /// contains values from the event.
    public let detail: String

    /// Creates a violation.
    public init(reason: DeadLetterReason, detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// The reason and the detail in one line.
    public var description: String { "\(reason.rawValue): \(detail)" }
}

/// Why an event is not valid: the header `dlq.reason` of a dead letter.
public enum DeadLetterReason: String, Sendable, Hashable, CaseIterable {
    /// Empty, not UTF-8, or not JSON (RFC 8259).
    case notJSON = "not_json"
    /// JSON, but not an object with the `specversion` `"1.0"`. A CloudEvents batch is not such an object.
    case notCloudEvents = "not_cloudevents"
    /// A required field is absent or `null`.
    case missingField = "missing_field"
    /// A field has a wrong type or value, or is a text of more than 1,024 bytes.
    case invalidField = "invalid_field"
    /// `time` is more than 24 hours after the record's timestamp.
    case futureTime = "future_time"
    /// The value is larger than 1 MiB.
    case tooLarge = "too_large"
}
