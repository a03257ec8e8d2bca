public import FlowEvents

/// One step of a funnel, met by the events of one type that meet all conditions.
///
/// ```swift
/// let step = Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"])
/// ```
public struct Step: Sendable, Hashable {
    /// The step's name, unique in its funnel.
    public let name: String
    /// The CloudEvents `type` of the events that meet the step.
    public let event: String
    /// The conditions, all of which an event must meet.
    public let conditions: [Condition]

    /// Creates a step.
    public init(name: String, event: String, conditions: [Condition] = []) {
        self.name = name
        self.event = event
        self.conditions = conditions
    }
}

extension Step {
    /// Creates a step with conditions as in a funnels file: each a path and the value that the field must have.
    ///
    /// - Parameters:
    ///   - name: the step's name, unique in its funnel.
    ///   - event: the CloudEvents `type` of the events that meet the step.
    ///   - conditions: paths such as `screen` or `properties.platform`, each with its value. No event meets a condition
    ///     with an empty path.
    public init(name: String, event: String, where conditions: KeyValuePairs<String, PropertyValue>) {
        self.init(
            name: name,
            event: event,
            conditions: conditions.map { Condition(Field(path: $0.key) ?? .data($0.key), is: $0.value) }
        )
    }
}

/// A condition on an event: a field has one of several values.
public struct Condition: Sendable, Hashable {
    /// The field.
    public let field: Field
    /// The values of which the field must have one. With no values, no event meets the condition.
    public let values: [PropertyValue]

    /// Creates a condition: `field` has one of `values`.
    public init(_ field: Field, in values: [PropertyValue]) {
        self.field = field
        self.values = values
    }

    /// Creates a condition: `field` has the value `value`.
    public init(_ field: Field, is value: PropertyValue) {
        self.init(field, in: [value])
    }
}
