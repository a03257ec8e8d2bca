public import FlowEvents

/// Chooses events: those of one type that meet all conditions.
///
/// ```swift
/// EventPattern(event: "purchase").where("properties.plan", .is("year", "month"))
/// ```
public struct EventPattern: Sendable, Hashable, Codable {
    /// The CloudEvents `type` of the events.
    public let event: String
    /// The conditions, all of which an event must meet.
    public let conditions: [Condition]

    /// The greatest number of patterns of which a step or an exclusion takes any.
    public static let maximumCount = 16

    /// Creates a pattern.
    public init(event: String, conditions: [Condition] = []) {
        self.event = event
        self.conditions = conditions
    }

    /// Returns the pattern with one more condition for each of `tests`.
    public func `where`(_ field: Field, _ tests: Condition.Test...) -> EventPattern { adding(field, tests) }

    func adding(_ field: Field, _ tests: [Condition.Test]) -> EventPattern {
        EventPattern(event: event, conditions: conditions + tests.map { Condition(field, $0) })
    }
}
