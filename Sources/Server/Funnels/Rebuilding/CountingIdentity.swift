import FlowEvents

/// What of a funnel's definition decides its counts: two funnels with one identity always count the same.
///
/// The description takes no part, nor does the order in which a step's conditions and their values are written. Texts
/// are compared by their UTF-8 bytes, where `String` takes canonically equivalent ones for the same.
public struct CountingIdentity: Sendable, Hashable {
    private struct FieldKey: Sendable, Hashable {
        let isProperty: Bool
        let name: [UInt8]

        init(_ field: Field) {
            switch field {
            case .data(let name): (isProperty, self.name) = (false, Array(name.utf8))
            case .property(let name): (isProperty, self.name) = (true, Array(name.utf8))
            }
        }
    }

    private struct ConditionKey: Sendable, Hashable {
        let field: FieldKey
        let values: Set<PropertyValue>
    }

    private struct StepKey: Sendable, Hashable {
        let name: [UInt8]
        let event: [UInt8]
        let conditions: Set<ConditionKey>
    }

    private let name: [UInt8]
    private let count: Counting
    private let window: Int64
    private let breakdown: FieldKey?
    private let steps: [StepKey]

    fileprivate init(_ funnel: Funnel) {
        name = Array(funnel.name.utf8)
        count = funnel.count
        window = funnel.window
        breakdown = funnel.breakdown.map(FieldKey.init)
        steps = funnel.steps.map { step in
            let conditions = step.conditions.map { condition in
                // No event has a value that is not a number, so it changes nothing, and it never equals itself.
                let values = condition.values.filter { $0 == $0 }
                return ConditionKey(field: FieldKey(condition.field), values: Set(values))
            }
            return StepKey(name: Array(step.name.utf8), event: Array(step.event.utf8), conditions: Set(conditions))
        }
    }
}

extension Funnel {
    /// What of the definition decides the counts.
    public var countingIdentity: CountingIdentity {
        CountingIdentity(self)
    }

    /// Whether both are one funnel that counts the same, whatever their descriptions say.
    public func countsLike(_ other: Funnel) -> Bool {
        countingIdentity == other.countingIdentity
    }
}
