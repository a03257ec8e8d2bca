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
