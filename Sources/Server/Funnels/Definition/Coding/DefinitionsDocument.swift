import FlowEvents

/// The version of a ``DefinitionsDocument``. It is read first, because a newer version may have changed the rest.
struct DefinitionsVersion: Decodable {
    let version: Int
}

/// The JSON form of ``FunnelDefinitions``, separate from ``Funnel`` so that each can change without the other.
///
/// A key is absent where the funnel has the default. So an older document reads as one without the keys that came later, and
/// only a document that an older program would read wrongly needs a greater ``version``.
struct DefinitionsDocument: Codable {
    // Versions 1 to 4 were of builds before the first release. No store has them.
    static let currentVersion = 5

    var version = Self.currentVersion
    let funnels: [FunnelForm]

    struct FunnelForm: Codable {
        let name: String
        var description: String?
        /// `installs`, `sessions`, or `by` for the field ``by``.
        let count: String
        let by: FieldForm?
        let entry: String?
        let windowMilliseconds: Int64
        var breakdown: BreakdownForm?
        let timeZone: String?
        var exclusions: [ExclusionForm]?
        var next: NextForm?
        var experiment: ExperimentForm?
        var steps: [StepForm]
    }

    struct BreakdownForm: Codable {
        let isList: Bool
        var parts: [PartForm]
    }

    struct PartForm: Codable {
        let field: FieldForm
        var step: String?
    }

    struct FilterForm: Codable {
        let event: String
        var conditions: [ConditionForm]
    }

    struct NextForm: Codable {
        var filter: FilterForm
        let field: FieldForm
    }

    struct ExperimentForm: Codable {
        let control: String
        let shares: [ShareForm]
    }

    struct ShareForm: Codable {
        let value: String
        let weight: Double
    }

    struct StepForm: Codable {
        let name: String
        var any: [FilterForm]
        let sum: SumForm?
        let optional: Bool?
    }

    struct ExclusionForm: Codable {
        var any: [FilterForm]
        var from: String?
        var to: String?
    }

    struct SumForm: Codable {
        let field: FieldForm
        let decimals: Int
        let unit: FieldForm?
    }

    /// A condition: exactly one key besides the field is set.
    struct ConditionForm: Codable {
        let field: FieldForm
        var values: [ValueForm]?
        var not: [ValueForm]?
        var exists: Bool?
        var gt: StoredNumber?
        var gte: StoredNumber?
        var lt: StoredNumber?
        var lte: StoredNumber?
        var prefix: String?
        var contains: String?
    }

    /// A field: exactly one of both is set. A path could not distinguish a field of `data` named `properties.x` from a
    /// property.
    struct FieldForm: Codable {
        var data: String?
        var property: String?
    }

    /// A value: exactly one of them is set. The names distinguish the text "inf" from an infinite number.
    struct ValueForm: Codable {
        var string: String?
        var number: StoredNumber?
        var bool: Bool?
    }
}

extension DefinitionsDocument.FunnelForm {
    init(_ funnel: Funnel) {
        name = funnel.name
        description = funnel.description
        switch funnel.count {
        case .installs: (count, by) = ("installs", nil)
        case .sessions: (count, by) = ("sessions", nil)
        case .by(let field): (count, by) = ("by", .init(field))
        }
        entry = funnel.entry == .any ? nil : funnel.entry.rawValue
        windowMilliseconds = funnel.windowMilliseconds
        breakdown = funnel.breakdown.map { breakdown in
            .init(
                isList: breakdown.isList,
                parts: breakdown.parts.map { .init(field: .init($0.field), step: $0.step) }
            )
        }
        timeZone = funnel.timeZone == .utc ? nil : funnel.timeZone.name
        exclusions =
            funnel.exclusions.isEmpty
            ? nil : funnel.exclusions.map { .init(any: $0.alternatives.map { .init($0) }, from: $0.from, to: $0.to) }
        next = funnel.next.map { .init(filter: .init($0.filter), field: .init($0.field)) }
        experiment = funnel.experiment.map { experiment in
            .init(
                control: experiment.control,
                shares: experiment.shares.map { .init(value: $0.value, weight: $0.weight) }
            )
        }
        steps = funnel.steps.map { step in
            .init(
                name: step.name,
                any: step.alternatives.map { .init($0) },
                sum: step.sum.map { sum in
                    .init(field: .init(sum.field), decimals: sum.decimals, unit: sum.unit.map { .init($0) })
                },
                optional: step.isOptional ? true : nil
            )
        }
    }

    var funnel: Funnel {
        get throws {
            guard let entry = Entry(rawValue: entry ?? Entry.any.rawValue) else { throw StoredDefinitionsError.damaged }
            return try Funnel(
                name: name,
                description: description,
                count: counting,
                entry: entry,
                window: .milliseconds(windowMilliseconds),
                breakdown: try breakdown.map { try $0.breakdown },
                timeZone: timeZone.map { FunnelTimeZone(stored: $0) } ?? .utc,
                exclusions: (exclusions ?? []).map { exclusion in
                    Exclusion(any: try exclusion.any.map { try $0.filter }, from: exclusion.from, to: exclusion.to)
                },
                next: next.map { next in
                    let filter = try next.filter.filter
                    return NextEvent(filter.event, conditions: filter.conditions, field: try next.field.field)
                },
                experiment: experiment.map { experiment in
                    Experiment(
                        control: experiment.control,
                        shareList: experiment.shares.map { Experiment.Share($0.value, $0.weight) }
                    )
                },
                steps: steps.map { try $0.step }
            )
        }
    }

    private var counting: Counting {
        get throws {
            switch (count, by) {
            case ("installs", nil): .installs
            case ("sessions", nil): .sessions
            case ("by", let by?): .by(try by.field)
            default: throw StoredDefinitionsError.damaged
            }
        }
    }
}

extension DefinitionsDocument.BreakdownForm {
    fileprivate var breakdown: Breakdown {
        get throws {
            let parts = try parts.map { Breakdown.Part(try $0.field.field, ofStep: $0.step) }
            if isList { return Breakdown(list: parts) }
            guard parts.count == 1 else { throw StoredDefinitionsError.damaged }
            return Breakdown(parts[0].field, ofStep: parts[0].step)
        }
    }
}

extension DefinitionsDocument.StepForm {
    fileprivate var step: Step {
        get throws {
            let sum = try sum.map { sum in
                Sum(try sum.field.field, decimals: sum.decimals, unit: try sum.unit.map { try $0.field })
            }
            return Step(name: name, any: try any.map { try $0.filter }, sum: sum, isOptional: optional ?? false)
        }
    }
}

extension DefinitionsDocument.FilterForm {
    fileprivate init(_ filter: EventFilter) {
        self.init(event: filter.event, conditions: filter.conditions.map { .init($0) })
    }

    fileprivate var filter: EventFilter {
        get throws { EventFilter(event: event, conditions: try conditions.map { try $0.condition }) }
    }
}

extension DefinitionsDocument.ConditionForm {
    fileprivate init(_ condition: Condition) {
        self.init(field: .init(condition.field))
        switch condition.test {
        case .isOneOf(let values): self.values = values.map { .init($0) }
        case .isNoneOf(let values): not = values.map { .init($0) }
        case .exists(let value): exists = value
        case .greaterThan(let bound): gt = StoredNumber(bound)
        case .atLeast(let bound): gte = StoredNumber(bound)
        case .lessThan(let bound): lt = StoredNumber(bound)
        case .atMost(let bound): lte = StoredNumber(bound)
        case .hasPrefix(let text): prefix = text
        case .contains(let text): contains = text
        }
    }

    fileprivate var condition: Condition {
        get throws {
            let tests: [Condition.Test?] = [
                try values.map { .isOneOf(try $0.map { try $0.value }) },
                try not.map { .isNoneOf(try $0.map { try $0.value }) },
                exists.map { .exists($0) }, gt.map { .greaterThan($0.value) }, gte.map { .atLeast($0.value) },
                lt.map { .lessThan($0.value) }, lte.map { .atMost($0.value) }, prefix.map { .hasPrefix($0) },
                contains.map { .contains($0) },
            ]
            let given = tests.compactMap { $0 }
            guard given.count == 1 else { throw StoredDefinitionsError.damaged }
            return Condition(try field.field, given[0])
        }
    }
}

extension DefinitionsDocument.FieldForm {
    fileprivate init(_ field: Field) {
        switch field {
        case .data(let name): self.init(data: name)
        case .property(let name): self.init(property: name)
        }
    }

    fileprivate var field: Field {
        get throws {
            switch (data, property) {
            case (let name?, nil): return .data(name)
            case (nil, let name?): return .property(name)
            default: throw StoredDefinitionsError.damaged
            }
        }
    }
}

extension DefinitionsDocument.ValueForm {
    fileprivate init(_ value: PropertyValue) {
        switch value.kind {
        case .string(let value): self.init(string: value)
        case .number(let value): self.init(number: StoredNumber(value))
        case .bool(let value): self.init(bool: value)
        }
    }

    fileprivate var value: PropertyValue {
        get throws {
            switch (string, number, bool) {
            case (let value?, nil, nil): return .string(value)
            case (nil, let value?, nil): return .number(value.value)
            case (nil, nil, let value?): return .bool(value)
            default: throw StoredDefinitionsError.damaged
            }
        }
    }
}
