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
