import EventTracking
import FlowEvents

/// An event that the collector or Kafka rejects for good, as it was sent.
struct RejectedEvent: Sendable, Hashable {
    let value: [UInt8]
    let rejection: Rejection
}

/// Why the collector or Kafka rejects an event for good.
struct Rejection: Error, Sendable, Hashable {
    /// The reason, for programs and metrics. The protocol's article lists all reasons.
    let reason: String
    /// What was found and what was expected, for people. It contains nothing from the event.
    let detail: String

    /// Creates a rejection of an event that breaks one of the rules of `EventRules`.
    init(_ violation: EventViolation) {
        self.init(reason: violation.reason.rawValue, detail: violation.detail)
    }

    /// Creates a rejection of an event that the sink rejects.
    init(_ failure: SinkFailure) {
        // The sink's own detail contains the brokers' addresses.
        self.init(reason: failure.code, detail: "Kafka does not take this event")
    }

    private init(reason: String, detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// The write key does not allow the event's source.
    static let foreignSource = Rejection(
        reason: "source_not_allowed",
        detail: "source: not among those that this write key may send"
    )
}
