import FlowEvents

/// What of a funnel's definition decides its counts. Two funnels with equal identities always count the same.
///
/// It is the form in which a store keeps the definition, without the description and the experiment, and with everything whose
/// order means nothing in one order: conditions, their values, alternatives and exclusions. It compares bytes, because `String`
/// takes canonically equivalent texts for equal.
package struct CountingIdentity: Sendable, Hashable {
    private let json: [UInt8]

    private struct Form: Encodable {
        let name: String
        let count: Counting
        let entry: Entry
        let windowMilliseconds: Int64
        let breakdown: [Breakdown.Part]?
        let isList: Bool?
        let timeZone: FunnelTimeZone
        let exclusions: [Exclusion]
        let next: NextEvent?
        let steps: [Step]
    }

    fileprivate init(_ funnel: Funnel) {
        let steps = funnel.steps.map {
            Step(name: $0.name, any: $0.alternatives.counted, sum: $0.sum, isOptional: $0.isOptional)
        }
        // Leaving a step out says what naming the first one says, or the last one.
        let exclusions = funnel.exclusions.map { exclusion in
            Exclusion(
                any: exclusion.alternatives.counted,
                from: exclusion.from ?? steps.first?.name,
                to: exclusion.to ?? steps.last?.name
            )
        }
        json = FunnelDefinitions.json(
            Form(
                name: funnel.name,
                count: funnel.count,
                entry: funnel.entry,
                windowMilliseconds: funnel.windowMilliseconds,
                breakdown: funnel.breakdown?.parts.map { part in
                    Breakdown.Part(part.field, ofStep: steps[funnel.stepIndex(of: part)].name)
                },
                isList: funnel.breakdown?.isList,
                timeZone: funnel.timeZone,
                exclusions: exclusions.inOneOrder,
                next: funnel.next.map { next in
                    let filter = [next.filter].counted[0]
                    return NextEvent(filter.event, conditions: filter.conditions, field: next.field)
                },
                steps: steps
            )
        )
    }
}

extension Funnel {
    /// The parts of the definition that decide the counts.
    package var countingIdentity: CountingIdentity { CountingIdentity(self) }

    /// Whether both funnels always count the same. Their descriptions may differ.
    public func countsLike(_ other: Funnel) -> Bool { countingIdentity == other.countingIdentity }
}

extension [EventFilter] {
    /// The filters with their conditions and the values of these, each in one order.
    fileprivate var counted: [EventFilter] {
        map { filter in
            EventFilter(event: filter.event, conditions: filter.conditions.map(\.counted).inOneOrder)
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
