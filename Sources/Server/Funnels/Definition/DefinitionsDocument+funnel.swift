import FlowEvents

extension DefinitionsDocument.Definition {
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
        breakdown = funnel.breakdown.map { .init($0) }
        timeZone = funnel.timeZone == .utc ? nil : funnel.timeZone.name
        exclusions = funnel.exclusions.isEmpty ? nil : funnel.exclusions.map { .init($0) }
        steps = funnel.steps.map { .init($0) }
    }

    var funnel: Funnel {
        get throws {
            try Funnel(
                name: name,
                description: description,
                count: counting,
                entry: entry.map { try Entry(rawValue: $0).orDamaged } ?? .any,
                window: .milliseconds(windowMilliseconds),
                breakdown: breakdown.map { try $0.field },
                timeZone: timeZone.map { FunnelTimeZone(stored: $0) } ?? .utc,
                exclusions: (exclusions ?? []).map { try $0.exclusion },
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

extension DefinitionsDocument.StepDefinition {
    init(_ step: Step) {
        name = step.name
        event = step.event
        conditions = step.conditions.map { .init($0) }
        sum = step.sum.map { .init(field: .init($0.field), decimals: $0.decimals, unit: $0.unit.map { .init($0) }) }
    }

    var step: Step {
        get throws {
            Step(
                name: name,
                event: event,
                conditions: try conditions.map { try $0.condition },
                sum: try sum.map { sum in
                    Sum(try sum.field.field, decimals: sum.decimals, unit: try sum.unit.map { try $0.field })
                }
            )
        }
    }
}

extension DefinitionsDocument.ExclusionDefinition {
    init(_ exclusion: Exclusion) {
        event = exclusion.event
        conditions = exclusion.conditions.map { .init($0) }
        from = exclusion.from
        to = exclusion.to
    }

    var exclusion: Exclusion {
        get throws {
            Exclusion(event: event, conditions: try conditions.map { try $0.condition }, from: from, to: to)
        }
    }
}

extension DefinitionsDocument.ConditionDefinition {
    init(_ condition: Condition) {
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

    var condition: Condition {
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

extension DefinitionsDocument.FieldDefinition {
    init(_ field: Field) {
        switch field {
        case .data(let name): self.init(data: name)
        case .property(let name): self.init(property: name)
        }
    }

    var field: Field {
        get throws {
            switch (data, property) {
            case (let name?, nil): return .data(name)
            case (nil, let name?): return .property(name)
            default: throw StoredDefinitionsError.damaged
            }
        }
    }
}

extension DefinitionsDocument.ValueDefinition {
    init(_ value: PropertyValue) {
        switch value {
        case .string(let value): self.init(string: value)
        case .number(let value): self.init(number: StoredNumber(value))
        case .bool(let value): self.init(bool: value)
        }
    }

    var value: PropertyValue {
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

extension Optional {
    /// The value.
    ///
    /// - Throws: ``StoredDefinitionsError/damaged`` where there is none.
    fileprivate var orDamaged: Wrapped {
        get throws {
            guard let self else { throw StoredDefinitionsError.damaged }
            return self
        }
    }
}
