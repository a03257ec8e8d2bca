import FlowEvents

/// The parts of a funnel's definition that decide its counts. Two funnels with equal identities always count the same.
///
/// The description is not a part of it, nor is the order of a step's conditions and of their values. Texts are compared
/// by their UTF-8 bytes, because `String` treats canonically equivalent texts as equal.
package struct CountingIdentity: Sendable, Hashable {
    private struct ConditionKey: Sendable, Hashable {
        let field: Field
        let values: Set<PropertyValue>
    }

    private struct StepKey: Sendable, Hashable {
        let name: [UInt8]
        let event: [UInt8]
        let conditions: Set<ConditionKey>
    }

    private let name: [UInt8]
    private let count: Counting
    private let windowMilliseconds: Int64
    private let breakdown: Field?
    private let steps: [StepKey]

    fileprivate init(_ funnel: Funnel) {
        name = Array(funnel.name.utf8)
        count = funnel.count
        windowMilliseconds = funnel.windowMilliseconds
        breakdown = funnel.breakdown
        steps = funnel.steps.map { step in
            let conditions = step.conditions.map { condition in
                // NaN is equal to no value of an event, and not to itself either.
                let values = condition.values.filter { $0 == $0 }
                return ConditionKey(field: condition.field, values: Set(values))
            }
            return StepKey(name: Array(step.name.utf8), event: Array(step.event.utf8), conditions: Set(conditions))
        }
    }
}

extension Funnel {
    /// The parts of the definition that decide the counts.
    package var countingIdentity: CountingIdentity {
        CountingIdentity(self)
    }

    /// Whether both funnels always count the same. Their descriptions may differ.
    public func countsLike(_ other: Funnel) -> Bool {
        countingIdentity == other.countingIdentity
    }
}
