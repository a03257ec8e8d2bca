import FlowEvents

/// The parts of a ``FunnelMatcher``: patterns and conditions in flat arrays that refer to each other by ranges.
struct MatcherParts {
    /// The fields that the funnels need.
    var fields: [Field] = []
    /// The distinct event types of the patterns.
    var types: [EventType] = []
    /// The patterns of steps, exclusions and next events, by type.
    var candidates: [Candidate] = []
    /// The distinct conditions of the patterns, by type.
    var tests: [FieldTest] = []
    /// The conditions of each pattern, as offsets from the first one of its type.
    var conditions: [Int] = []
    var accepted: [Accepted] = []
    /// The bytes of the event types and of the texts of conditions.
    var text: [UInt8] = []
    /// The fields that funnels watch of events of a type, by type.
    var watched: [Int] = []
    /// What each funnel takes from the events that it matches.
    var values: [FunnelValues] = []

    struct EventType {
        var text: Range<Int>
        /// The patterns that an event of this type can match.
        var candidates: Range<Int> = 0..<0
        /// Their distinct conditions.
        var tests: Range<Int> = 0..<0
        /// The fields that funnels watch of such events.
        var watched: Range<Int> = 0..<0
    }

    /// A pattern of a step, of an exclusion, or of next events.
    struct Candidate {
        var funnel: Int
        /// What an event that passes it means to the funnel.
        var match: FunnelMatch
        /// The field that an event needs to take part, or ``noField``.
        var actor: Int
        /// Its conditions, in ``MatcherParts/conditions``.
        var conditions: Range<Int>
    }

    static let noField = -1

    /// A field passes the test where one of `accepted` accepts its value.
    struct FieldTest {
        var field: Int
        var accepted: Range<Int>
    }

    enum Accepted {
        case string(Range<Int>)
        case number(KnownNumber)
        case bool(Bool)
        /// A value that none of these accepts, or none.
        case noneOf(Range<Int>)
        case exists(Bool)
        case greaterThan(KnownNumber)
        case atLeast(KnownNumber)
        case lessThan(KnownNumber)
        case atMost(KnownNumber)
        case prefix(Range<Int>)
        case contains(Range<Int>)
    }

    init(funnels: [Funnel]) {
        var byType: [[Candidate]] = []
        var distinct: [[Condition]] = []
        var fieldsByType: [Set<Int>] = []
        func type(_ event: String) -> Int {
            if let index = types.firstIndex(where: { text[$0.text].elementsEqual(event.utf8) }) { return index }
            types.append(EventType(text: append(event)))
            byType.append([])
            distinct.append([])
            fieldsByType.append([])
            return types.count - 1
        }
        for (index, funnel) in funnels.enumerated() {
            let values = FunnelValues(funnel, index: { self.index(of: $0) })
            self.values.append(values)
            func add(_ pattern: EventPattern, _ match: FunnelMatch, actor: Int?, watching fields: [Int]) {
                let number = type(pattern.event)
                fieldsByType[number].formUnion(fields + pattern.conditions.map { self.index(of: $0.field) })
                if let actor { fieldsByType[number].insert(actor) }
                for condition in pattern.conditions {
                    let known = distinct[number].firstIndex(of: condition)
                    conditions.append(known ?? distinct[number].count)
                    if known == nil { distinct[number].append(condition) }
                }
                byType[number].append(
                    Candidate(
                        funnel: index,
                        match: match,
                        actor: actor ?? Self.noField,
                        conditions: (conditions.count - pattern.conditions.count)..<conditions.count
                    )
                )
            }
            for (position, step) in funnel.steps.enumerated() {
                let match = FunnelMatch(steps: 1 << UInt32(position))
                for pattern in step.alternatives {
                    add(pattern, match, actor: values.actor, watching: values.fields(ofStep: position))
                }
            }
            for exclusion in funnel.exclusions {
                let match = FunnelMatch(exclusions: funnel.gaps(of: exclusion))
                for pattern in exclusion.alternatives { add(pattern, match, actor: values.actor, watching: []) }
            }
            if let next = funnel.next, let field = values.next {
                // The event need not belong to the actor.
                add(next.pattern, FunnelMatch(isNext: true), actor: nil, watching: [field])
            }
        }
        for index in types.indices {
            types[index].candidates = candidates.count..<(candidates.count + byType[index].count)
            candidates += byType[index]
            types[index].tests = tests.count..<(tests.count + distinct[index].count)
            for condition in distinct[index] {
                let field = self.index(of: condition.field)
                tests.append(FieldTest(field: field, accepted: appendAccepted(condition.test)))
            }
            types[index].watched = watched.count..<(watched.count + fieldsByType[index].count)
            watched += fieldsByType[index].sorted()
        }
    }

    /// The index of a field, which is added if it is not in the list yet.
    mutating func index(of field: Field) -> Int {
        if let index = fields.firstIndex(of: field) { return index }
        fields.append(field)
        return fields.count - 1
    }

    private mutating func appendAccepted(_ test: Condition.Test) -> Range<Int> {
        switch test {
        case .isOneOf(let values): return append(values.map { accepted(of: $0) })
        case .isNoneOf(let values):
            let refused = append(values.map { accepted(of: $0) })
            return append([.noneOf(refused)])
        case .exists(let value): return append([.exists(value)])
        case .greaterThan(let bound): return append([.greaterThan(known(bound))])
        case .atLeast(let bound): return append([.atLeast(known(bound))])
        case .lessThan(let bound): return append([.lessThan(known(bound))])
        case .atMost(let bound): return append([.atMost(known(bound))])
        case .hasPrefix(let text): return append([.prefix(append(text))])
        case .contains(let text): return append([.contains(append(text))])
        }
    }

    private mutating func append(_ more: [Accepted]) -> Range<Int> {
        accepted += more
        return (accepted.count - more.count)..<accepted.count
    }

    private mutating func accepted(of value: PropertyValue) -> Accepted {
        switch value.kind {
        case .string(let string): .string(append(string))
        case .number(let number): .number(known(number))
        case .bool(let bool): .bool(bool)
        }
    }

    private mutating func known(_ number: PropertyNumber) -> KnownNumber {
        number.withFieldNumber { number in
            switch number {
            case .integer(let value): return .integer(value)
            case .unsigned(let value): return .unsigned(value)
            case .digits(let digits):
                text += digits
                return .digits((text.count - digits.count)..<text.count)
            case .double(let value): return .double(value)
            }
        }
    }

    private mutating func append(_ string: String) -> Range<Int> {
        text += string.utf8
        return (text.count - string.utf8.count)..<text.count
    }
}
