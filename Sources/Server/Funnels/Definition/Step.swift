public import FlowEvents

/// One step of a funnel, met by the events that one of its patterns chooses.
///
/// ```swift
/// let step = Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"])
/// let bought = Step(name: "bought", any: [EventPattern(event: "purchase"), EventPattern(event: "store_purchase")])
/// let tour = Step(name: "tour", event: "screen_view", where: ["screen": "tour"]).optional()
/// ```
public struct Step: Sendable, Hashable, Codable {
    /// The step's name, unique in its funnel.
    public let name: String
    /// The patterns, one of which an event must match; at least one.
    public let alternatives: [EventPattern]
    /// The field whose values are added up over the events that meet the step; `nil` for no sum.
    public let sum: Sum?
    /// Whether an actor can go on without the step. Neither the first nor the last step of a funnel can be optional.
    public let isOptional: Bool

    /// Creates a step that the events of one type meet.
    ///
    /// - Parameters:
    ///   - name: the step's name, unique in its funnel.
    ///   - event: the CloudEvents `type` of the events.
    ///   - conditions: the conditions, all of which an event must meet.
    ///   - sum: the field whose values are added up.
    ///   - isOptional: whether an actor can go on without the step.
    public init(
        name: String,
        event: String,
        conditions: [Condition] = [],
        sum: Sum? = nil,
        isOptional: Bool = false
    ) {
        let pattern = EventPattern(event: event, conditions: conditions)
        self.init(name: name, any: [pattern], sum: sum, isOptional: isOptional)
    }

    /// Creates a step that events of several kinds meet.
    ///
    /// - Parameters:
    ///   - name: the step's name, unique in its funnel.
    ///   - alternatives: the patterns, one of which an event must match: 1 to ``EventPattern/maximumCount``.
    ///   - sum: the field whose values are added up.
    ///   - isOptional: whether an actor can go on without the step.
    public init(name: String, any alternatives: [EventPattern], sum: Sum? = nil, isOptional: Bool = false) {
        self.name = name
        self.alternatives = alternatives
        self.sum = sum
        self.isOptional = isOptional
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

    /// Returns the step with one more condition for each of `tests`, in each of its alternatives.
    ///
    /// ```swift
    /// Step(name: "purchase", event: "purchase").where("properties.price", .atLeast(1), .lessThan(100))
    /// ```
    public func `where`(_ field: Field, _ tests: Condition.Test...) -> Step {
        Step(name: name, any: alternatives.map { $0.adding(field, tests) }, sum: sum, isOptional: isOptional)
    }

    /// Returns the step with a ``Sum``.
    public func summing(_ field: Field, decimals: Int = 0, unit: Field? = nil) -> Step {
        let sum = Sum(field, decimals: decimals, unit: unit)
        return Step(name: name, any: alternatives, sum: sum, isOptional: isOptional)
    }

    /// Returns the step as one that an actor can go on without.
    public func optional() -> Step { Step(name: name, any: alternatives, sum: sum, isOptional: true) }
}

/// A field whose values are added up over the events that meet a step.
///
/// A value F counts as the integer nearest to F × 10^``decimals``, so that sums are exact: prices in euros are added up
/// in cents with 2 decimals. A value that is not a number, or not within 0.001 of such an integer, is left out and
/// counted as such.
public struct Sum: Sendable, Hashable, Codable {
    /// The field to add up.
    public let field: Field
    /// The number of decimals that are kept, 0 to 6.
    public let decimals: Int
    /// The field by whose values there are separate sums, such as a currency; `nil` for one sum.
    public let unit: Field?

    /// The numbers of decimals that a sum may keep.
    public static let decimalsRange = 0...6

    /// Creates a sum.
    public init(_ field: Field, decimals: Int = 0, unit: Field? = nil) {
        self.field = field
        self.decimals = decimals
        self.unit = unit
    }
}
