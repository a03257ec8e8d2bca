import EventTracking
import FlowEvents

/// Why an event is never taken, as an answer says it.
struct Rejection: Error, Sendable, Hashable {
    /// The reason, for programs and for counting. All that there are stand in the protocol's article.
    let reason: String
    /// What was found and what was expected, for people. Nothing of what the event says.
    let detail: String

    private static let sourceNotAllowed = "source_not_allowed"

    /// The reasons that are the collector's, and not Kafka's.
    // Without `not_json`: a body that is not JSON throughout is refused as a whole.
    static let ownReasons =
        DeadLetterReason.allCases.filter { $0 != .notJSON }.map(\.rawValue) + [sourceNotAllowed]

    /// The event breaks a rule of the contract.
    init(_ violation: EventViolation) {
        reason = violation.reason.rawValue
        detail = violation.detail
    }

    /// The sink does not take the event.
    init(_ failure: SinkFailure) {
        // The sink's own sentence names brokers.
        self.init(reason: failure.code, detail: "Kafka does not take this event")
    }

    private init(reason: String, detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// The write key is not for the event's source.
    static let foreignSource = Rejection(
        reason: sourceNotAllowed,
        detail: "source: not among those that this write key may send"
    )
}
