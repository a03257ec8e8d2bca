import FlowEvents

/// The parts of a ``FunnelMatcher``: steps, exclusions and conditions in flat arrays that refer to each other by ranges.
struct MatcherParts {
    /// The fields that the funnels need.
    var fields: [Field] = []
    /// The distinct event types of steps and exclusions.
    var types: [EventType] = []
    /// The steps, by type.
    var steps: [Candidate] = []
    /// The exclusions, by type.
    var exclusions: [Candidate] = []
    /// The fields that conditions compare with values, by type.
    var comparisons: [Comparison] = []
    /// The values of the comparisons.
    var knownValues: [KnownValue] = []
    var tests: [FieldTest] = []
    var accepted: [Accepted] = []
    /// The bytes of the event types and of the texts of conditions.
    var text: [UInt8] = []
    var sums: [SumField] = []
    /// For each funnel that counts by a field, the funnel and the index of the field.
    var actorFields: [(funnel: Int, field: Int)] = []

    struct EventType {
        var text: Range<Int>
        /// The steps that an event of this type can match.
        var steps: Range<Int>
        /// The exclusions that an event of this type can match.
        var exclusions: Range<Int>
        /// The fields that their conditions compare with values.
        var comparisons: Range<Int>
    }

    /// A step or an exclusion.
    struct Candidate {
        var funnel: Int
        /// The step's bit, or the gaps that the exclusion covers.
        var mask: UInt32
        /// What an event needs to take part: ``anyActor``, ``sessionActor``, or the index of a field.
        var actor: Int
        /// Those of its conditions that compare a field with values, as the bits of ``KnownValue/conditions``.
        var conditions: UInt64
        /// The other conditions.
        var tests: Range<Int>
    }

    /// A field that conditions compare with values.
    struct Comparison {
        var field: Int
        /// The values. No two are equal, so the field has at most one of them.
        var values: Range<Int>
    }

    /// A value that conditions accept.
    struct KnownValue {
        /// A string, a number or a boolean.
        var value: Accepted
        /// Those of the event type's conditions that accept the value, each as a bit.
        var conditions: UInt64
    }

    static let anyActor = -1
    static let sessionActor = -2

    /// A field passes the test where one of `accepted` accepts its value.
    struct FieldTest {
        var field: Int
        var accepted: Range<Int>
    }

    enum Accepted {
        case string(Range<Int>)
        case number(Double)
        case bool(Bool)
        /// A value that none of these accepts, or none.
        case noneOf(Range<Int>)
        case exists(Bool)
        case greaterThan(Double)
        case atLeast(Double)
        case lessThan(Double)
        case atMost(Double)
        case prefix(Range<Int>)
        case contains(Range<Int>)
    }

    struct SumField {
        var funnel: Int
        /// The step's bit.
        var mask: UInt32
        var field: Int
        var scale: Double
        var unit: Int?
    }

    init(funnels: [Funnel]) {
        var stepsByType: [[Candidate]] = []
        var exclusionsByType: [[Candidate]] = []
        var equalitiesByType: [EqualityConditions] = []
        func type(_ event: String) -> Int {
            if let index = types.firstIndex(where: { text[$0.text].elementsEqual(event.utf8) }) { return index }
            types.append(EventType(text: append(event), steps: 0..<0, exclusions: 0..<0, comparisons: 0..<0))
            stepsByType.append([])
            exclusionsByType.append([])
            equalitiesByType.append(EqualityConditions())
            return types.count - 1
        }
        for (index, funnel) in funnels.enumerated() {
            for (position, step) in funnel.steps.enumerated() {
                let number = type(step.event)
                let (equalities, tests) = append(step.conditions, to: &equalitiesByType[number])
                let mask: UInt32 = 1 << UInt32(position)
                let actor = self.actor(of: funnel)
                stepsByType[number].append(
                    Candidate(funnel: index, mask: mask, actor: actor, conditions: equalities, tests: tests)
                )
                if let sum = step.sum { append(sum, funnel: index, mask: mask) }
            }
            for exclusion in funnel.exclusions {
                let number = type(exclusion.event)
                let (equalities, tests) = append(exclusion.conditions, to: &equalitiesByType[number])
                let mask = funnel.gaps(of: exclusion)
                let actor = self.actor(of: funnel)
                exclusionsByType[number].append(
                    Candidate(funnel: index, mask: mask, actor: actor, conditions: equalities, tests: tests)
                )
            }
            if case .by(let field) = funnel.count { actorFields.append((index, self.index(of: field))) }
        }
        for index in types.indices {
            types[index].steps = steps.count..<(steps.count + stepsByType[index].count)
            steps += stepsByType[index]
            types[index].exclusions = exclusions.count..<(exclusions.count + exclusionsByType[index].count)
            exclusions += exclusionsByType[index]
            let first = comparisons.count
            for (field, values) in equalitiesByType[index].comparisons {
                comparisons.append(
                    Comparison(field: field, values: knownValues.count..<(knownValues.count + values.count))
                )
                knownValues += values.map { KnownValue(value: accepted(of: $0.value), conditions: $0.conditions) }
            }
            types[index].comparisons = first..<comparisons.count
        }
    }

    /// The index of a field, which is added if it is not in the list yet.
    mutating func index(of field: Field) -> Int {
        if let index = fields.firstIndex(of: field) { return index }
        fields.append(field)
        return fields.count - 1
    }

    private mutating func actor(of funnel: Funnel) -> Int {
        switch funnel.count {
        case .installs: Self.anyActor
        case .sessions: Self.sessionActor
        case .by(let field): index(of: field)
        }
    }

    private mutating func append(_ sum: Sum, funnel: Int, mask: UInt32) {
        let field = index(of: sum.field)
        let unit = sum.unit.map { index(of: $0) }
        sums.append(SumField(funnel: funnel, mask: mask, field: field, scale: sum.scale, unit: unit))
    }

    /// Appends the conditions of a step or an exclusion.
    ///
    /// - Returns: the conditions that compare a field with values, as bits, and the other ones.
    private mutating func append(
        _ conditions: [Condition],
        to equalities: inout EqualityConditions
    ) -> (UInt64, Range<Int>) {
        let first = tests.count
        var bits: UInt64 = 0
        for condition in conditions {
            let field = index(of: condition.field)
            if case .isOneOf(let values) = condition.test, let bit = equalities.bit(of: values, field: field) {
                bits |= bit
                continue
            }
            tests.append(FieldTest(field: field, accepted: appendAccepted(condition.test)))
        }
        return (bits, first..<tests.count)
    }

    private mutating func appendAccepted(_ test: Condition.Test) -> Range<Int> {
        switch test {
        case .isOneOf(let values): return append(values.map { accepted(of: $0) })
        case .isNoneOf(let values):
            let refused = append(values.map { accepted(of: $0) })
            return append([.noneOf(refused)])
        case .exists(let value): return append([.exists(value)])
        case .greaterThan(let bound): return append([.greaterThan(bound)])
        case .atLeast(let bound): return append([.atLeast(bound)])
        case .lessThan(let bound): return append([.lessThan(bound)])
        case .atMost(let bound): return append([.atMost(bound)])
        case .hasPrefix(let text): return append([.prefix(append(text))])
        case .contains(let text): return append([.contains(append(text))])
        }
    }

    private mutating func append(_ more: [Accepted]) -> Range<Int> {
        accepted += more
        return (accepted.count - more.count)..<accepted.count
    }

    private mutating func accepted(of value: PropertyValue) -> Accepted {
        switch value {
        case .string(let string): .string(append(string))
        case .number(let number): .number(number)
        case .bool(let bool): .bool(bool)
        }
    }

    private mutating func append(_ string: String) -> Range<Int> {
        text += string.utf8
        return (text.count - string.utf8.count)..<text.count
    }
}
