import FlowEvents

/// The parts of a funnel's definition that decide its counts. Two funnels with equal identities always count the same.
///
/// The description and the experiment are not parts of it, nor is the order of conditions, of their values, of alternatives
/// and of exclusions. Texts are
/// compared by their UTF-8 bytes, because `String` treats canonically equivalent texts as equal.
package struct CountingIdentity: Sendable, Hashable {
    private struct FilterKey: Sendable, Hashable {
        let event: [UInt8]
        let conditions: Set<ConditionKey>

        init(_ filter: EventFilter) {
            event = Array(filter.event.utf8)
            conditions = Set(filter.conditions.map(ConditionKey.init))
        }
    }

    private struct ConditionKey: Sendable, Hashable {
        let field: Field
        let test: Test

        enum Test: Sendable, Hashable {
            case isOneOf(Set<PropertyValue>)
            case isNoneOf(Set<PropertyValue>)
            case hasPrefix([UInt8])
            case contains([UInt8])
            /// A test without texts and lists.
            case plain(Condition.Test)
        }

        init(_ condition: Condition) {
            // NaN is equal to no value of an event, and not to itself either.
            func set(_ values: [PropertyValue]) -> Set<PropertyValue> { Set(values.filter { $0 == $0 }) }
            field = condition.field
            test =
                switch condition.test {
                case .isOneOf(let values): .isOneOf(set(values))
                case .isNoneOf(let values): .isNoneOf(set(values))
                case .hasPrefix(let text): .hasPrefix(Array(text.utf8))
                case .contains(let text): .contains(Array(text.utf8))
                case .exists, .greaterThan, .atLeast, .lessThan, .atMost: .plain(condition.test)
                }
        }
    }

    private struct StepKey: Sendable, Hashable {
        let name: [UInt8]
        let filters: Set<FilterKey>
        let sum: Sum?
        let isOptional: Bool
    }

    private struct ExclusionKey: Sendable, Hashable {
        let filters: Set<FilterKey>
        let gaps: UInt32
    }

    /// A part of a breakdown, with the index of its step.
    private struct PartKey: Sendable, Hashable {
        let field: Field
        let step: Int
    }

    private struct NextKey: Sendable, Hashable {
        let filter: FilterKey
        let field: Field
    }

    private let name: [UInt8]
    private let count: Counting
    private let entry: Entry
    private let windowMilliseconds: Int64
    private let breakdown: [PartKey]
    private let hasListValues: Bool
    private let timeZone: [UInt8]
    private let exclusions: Set<ExclusionKey>
    private let next: NextKey?
    private let steps: [StepKey]

    fileprivate init(_ funnel: Funnel) {
        name = Array(funnel.name.utf8)
        count = funnel.count
        entry = funnel.entry
        windowMilliseconds = funnel.windowMilliseconds
        breakdown = (funnel.breakdown?.parts ?? []).map { PartKey(field: $0.field, step: funnel.stepIndex(of: $0)) }
        hasListValues = funnel.breakdown?.isList ?? false
        timeZone = Array(funnel.timeZone.name.utf8)
        exclusions = Set(
            funnel.exclusions.map { exclusion in
                let filters = Set(exclusion.alternatives.map(FilterKey.init))
                return ExclusionKey(filters: filters, gaps: funnel.gaps(of: exclusion))
            }
        )
        next = funnel.next.map { NextKey(filter: FilterKey($0.filter), field: $0.field) }
        steps = funnel.steps.map { step in
            StepKey(
                name: Array(step.name.utf8),
                filters: Set(step.alternatives.map(FilterKey.init)),
                sum: step.sum,
                isOptional: step.isOptional
            )
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
