import FlowEvents

/// What of a funnel's definition decides its counts. Two funnels with equal identities always count the same.
///
/// It is the form in which a store keeps the definition, without the description and the experiment, and with everything whose
/// order means nothing in one order: conditions, their values, alternatives and exclusions. It compares bytes, because `String`
/// takes canonically equivalent texts for equal.
package struct CountingIdentity: Sendable, Hashable {
    private let json: [UInt8]

    fileprivate init(_ funnel: Funnel) {
        var counted = funnel
        (counted.description, counted.experiment) = (nil, nil)
        counted.steps = funnel.steps.map {
            Step(name: $0.name, any: $0.alternatives.counted, sum: $0.sum, isOptional: $0.isOptional)
        }
        // Leaving a step out says what naming the first one says, or the last one.
        counted.exclusions =
            funnel.exclusions.map { exclusion in
                Exclusion(
                    any: exclusion.alternatives.counted,
                    from: exclusion.from ?? funnel.steps.first?.name,
                    to: exclusion.to ?? funnel.steps.last?.name
                )
            }
            .inOneOrder
        counted.breakdown?.nameSteps(of: funnel)
        counted.next = funnel.next.map { next in
            let pattern = [next.pattern].counted[0]
            return NextEvent(pattern.event, conditions: pattern.conditions, field: next.field)
        }
        json = FunnelDefinitions.json(counted)
    }
}

extension Funnel {
    /// The parts of the definition that decide the counts.
    package var countingIdentity: CountingIdentity { CountingIdentity(self) }

    /// Whether both funnels always count the same. Their descriptions may differ.
    public func countsLike(_ other: Funnel) -> Bool { countingIdentity == other.countingIdentity }
}

extension Breakdown {
    fileprivate mutating func nameSteps(of funnel: Funnel) {
        parts = parts.map { Part($0.field, ofStep: funnel.steps[funnel.stepIndex(of: $0)].name) }
    }
}

extension [EventPattern] {
    /// The patterns with their conditions and the values of these, each in one order.
    fileprivate var counted: [EventPattern] {
        map { pattern in
            EventPattern(event: pattern.event, conditions: pattern.conditions.map(\.counted).inOneOrder)
        }.inOneOrder
    }
}

extension Condition {
    fileprivate var counted: Condition {
        // NaN is equal to no value of an event.
        func counted(_ values: [PropertyValue]) -> [PropertyValue] {
            values.filter { !($0.exactNumber?.double.isNaN ?? false) }.inOneOrder
        }
        return switch test {
        case .isOneOf(let values): Condition(field, .isOneOf(counted(values)))
        case .isNoneOf(let values): Condition(field, .isNoneOf(counted(values)))
        default: self
        }
    }
}

extension Array where Element: Encodable {
    /// The different elements in the order of their JSON.
    fileprivate var inOneOrder: [Element] {
        let elements = Dictionary(map { (FunnelDefinitions.json($0), $0) }) { first, _ in first }
        return elements.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }
}
