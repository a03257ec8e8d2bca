import FlowEvents

/// What of a funnel's definition decides its counts. Two funnels with equal identities always count the same.
///
/// It is the form in which a store keeps the definition, without the description and the experiment, and with everything whose
/// order means nothing in one order: conditions, their values, alternatives and exclusions. It compares bytes, because `String`
/// takes canonically equivalent texts for equal.
package struct CountingIdentity: Sendable, Hashable {
    private let form: [UInt8]

    fileprivate init(_ funnel: Funnel) {
        form = FunnelDefinitions.json(DefinitionsDocument.FunnelForm(counted: funnel))
    }
}

extension Funnel {
    /// The parts of the definition that decide the counts.
    package var countingIdentity: CountingIdentity { CountingIdentity(self) }

    /// Whether both funnels always count the same. Their descriptions may differ.
    public func countsLike(_ other: Funnel) -> Bool { countingIdentity == other.countingIdentity }
}

extension DefinitionsDocument.FunnelForm {
    /// The form of what counts.
    fileprivate init(counted funnel: Funnel) {
        self.init(funnel)
        (description, experiment) = (nil, nil)
        // Leaving a step out says what naming the first one says, or the last one.
        for (index, part) in (funnel.breakdown?.parts ?? []).enumerated() {
            breakdown?.parts[index].step = funnel.steps[funnel.stepIndex(of: part)].name
        }
        for index in funnel.exclusions.indices {
            exclusions?[index].from = funnel.exclusions[index].from ?? funnel.steps.first?.name
            exclusions?[index].to = funnel.exclusions[index].to ?? funnel.steps.last?.name
            exclusions?[index].any.order()
        }
        exclusions = exclusions?.inOneOrder
        for index in steps.indices { steps[index].any.order() }
        next?.filter.order()
    }
}

extension [DefinitionsDocument.FilterForm] {
    fileprivate mutating func order() {
        for index in indices { self[index].order() }
        self = inOneOrder
    }
}

extension DefinitionsDocument.FilterForm {
    fileprivate mutating func order() {
        for index in conditions.indices {
            conditions[index].values = conditions[index].values?.counted
            conditions[index].not = conditions[index].not?.counted
        }
        conditions = conditions.inOneOrder
    }
}

extension [DefinitionsDocument.ValueForm] {
    /// The values without NaN, which is equal to no value of an event, in one order.
    fileprivate var counted: [Element] { filter { !($0.number?.value.double.isNaN ?? false) }.inOneOrder }
}

extension Array where Element: Encodable {
    /// The different elements in the order of their JSON.
    fileprivate var inOneOrder: [Element] {
        let elements = Dictionary(map { (FunnelDefinitions.json($0), $0) }) { first, _ in first }
        return elements.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }
}
