public import FlowEvents

/// One step of a funnel: which events meet it.
public struct Step: Sendable, Hashable {
    /// The step's name, unique in its funnel.
    public let name: String
    /// The CloudEvents `type` of the events that meet it.
    public let event: String
    /// What else has to hold of an event, all of it.
    public let conditions: [Condition]

    /// Creates a step.
    public init(name: String, event: String, conditions: [Condition] = []) {
        self.name = name
        self.event = event
        self.conditions = conditions
    }
}

/// What has to hold of one field of an event: that it has one of some values.
public struct Condition: Sendable, Hashable {
    /// The field that is looked at.
    public let field: Field
    /// The values of which the field must have one; none of them is never met.
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
