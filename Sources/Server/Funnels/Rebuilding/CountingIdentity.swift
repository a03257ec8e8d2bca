import FlowEvents

/// The parts of a funnel's definition that decide its counts. Two funnels with equal identities always count the same.
///
/// The description is not a part of it, nor is the order of conditions, of their values and of exclusions. Texts are
/// compared by their UTF-8 bytes, because `String` treats canonically equivalent texts as equal.
package struct CountingIdentity: Sendable, Hashable {
    private struct EventKey: Sendable, Hashable {
        let event: [UInt8]
        let conditions: Set<ConditionKey>

        init(_ event: String, _ conditions: [Condition]) {
            self.event = Array(event.utf8)
            self.conditions = Set(conditions.map(ConditionKey.init))
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
        let event: EventKey
        let sum: Sum?
    }

    private struct ExclusionKey: Sendable, Hashable {
        let event: EventKey
        let gaps: UInt32
    }

    private let name: [UInt8]
    private let count: Counting
    private let entry: Entry
    private let windowMilliseconds: Int64
    private let breakdown: Field?
    private let timeZone: [UInt8]
    private let exclusions: Set<ExclusionKey>
    private let steps: [StepKey]

    fileprivate init(_ funnel: Funnel) {
        name = Array(funnel.name.utf8)
        count = funnel.count
        entry = funnel.entry
        windowMilliseconds = funnel.windowMilliseconds
        breakdown = funnel.breakdown
        timeZone = Array(funnel.timeZone.name.utf8)
        exclusions = Set(
            funnel.exclusions.map { exclusion in
                ExclusionKey(event: EventKey(exclusion.event, exclusion.conditions), gaps: funnel.gaps(of: exclusion))
            }
        )
        steps = funnel.steps.map { step in
            StepKey(name: Array(step.name.utf8), event: EventKey(step.event, step.conditions), sum: step.sum)
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
