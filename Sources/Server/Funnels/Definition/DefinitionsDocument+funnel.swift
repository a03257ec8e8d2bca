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
        if let breakdown = funnel.breakdown, breakdown.isList || breakdown.parts[0].step != nil {
            parts = .init(isList: breakdown.isList, parts: breakdown.parts.map { .init($0) })
        } else {
            parts = nil
        }
        breakdown = parts == nil ? funnel.breakdown.map { .init($0.parts[0].field) } : nil
        timeZone = funnel.timeZone == .utc ? nil : funnel.timeZone.name
        exclusions = funnel.exclusions.isEmpty ? nil : funnel.exclusions.map { .init($0) }
        next = funnel.next.map { next in
            .init(
                event: next.filter.event,
                conditions: next.filter.conditions.map { .init($0) },
                field: .init(next.field)
            )
        }
        experiment = funnel.experiment.map { experiment in
            .init(
                control: experiment.control,
                shares: experiment.shares.map { .init(value: $0.value, weight: $0.weight) }
            )
        }
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
                breakdown: try storedBreakdown,
                timeZone: timeZone.map { FunnelTimeZone(stored: $0) } ?? .utc,
                exclusions: (exclusions ?? []).map { try $0.exclusion },
                next: next.map { next in
                    NextEvent(
                        next.event,
                        conditions: try next.conditions.map { try $0.condition },
                        field: try next.field.field
                    )
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

    private var storedBreakdown: Breakdown? {
        get throws {
            switch (breakdown, parts) {
            case (nil, nil): nil
            case (let field?, nil): Breakdown(try field.field)
            case (nil, let parts?) where parts.isList: Breakdown(list: try parts.parts.map { try $0.part })
            case (nil, let parts?) where parts.parts.count == 1:
                Breakdown(try parts.parts[0].field.field, ofStep: parts.parts[0].step)
            default: throw StoredDefinitionsError.damaged
            }
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
        event = step.alternatives[0].event
        conditions = step.alternatives[0].conditions.map { .init($0) }
        any = .init(step.alternatives)
        optional = step.isOptional ? true : nil
        sum = step.sum.map { .init(field: .init($0.field), decimals: $0.decimals, unit: $0.unit.map { .init($0) }) }
    }

    var step: Step {
        get throws {
            Step(
                name: name,
                any: try [DefinitionsDocument.FilterDefinition(event: event, conditions: conditions).filter]
                    + (any ?? []).map { try $0.filter },
                sum: try sum.map { sum in
                    Sum(try sum.field.field, decimals: sum.decimals, unit: try sum.unit.map { try $0.field })
                },
                isOptional: optional ?? false
            )
        }
    }
}

extension DefinitionsDocument.ExclusionDefinition {
    init(_ exclusion: Exclusion) {
        event = exclusion.alternatives[0].event
        conditions = exclusion.alternatives[0].conditions.map { .init($0) }
        any = .init(exclusion.alternatives)
        from = exclusion.from
        to = exclusion.to
    }

    var exclusion: Exclusion {
        get throws {
            Exclusion(
                any: try [DefinitionsDocument.FilterDefinition(event: event, conditions: conditions).filter]
                    + (any ?? []).map { try $0.filter },
                from: from,
                to: to
            )
        }
    }
}

extension [DefinitionsDocument.FilterDefinition]? {
    /// The alternatives behind the first; `nil` where there are none.
    init(_ alternatives: [EventFilter]) {
        self = alternatives.count == 1 ? nil : alternatives.dropFirst().map { .init($0) }
    }
}

extension DefinitionsDocument.FilterDefinition {
    init(_ filter: EventFilter) {
        self.init(event: filter.event, conditions: filter.conditions.map { .init($0) })
    }

    var filter: EventFilter {
        get throws { EventFilter(event: event, conditions: try conditions.map { try $0.condition }) }
    }
}

extension DefinitionsDocument.PartDefinition {
    init(_ part: Breakdown.Part) {
        self.init(field: .init(part.field), step: part.step)
    }

    var part: Breakdown.Part {
        get throws { Breakdown.Part(try field.field, ofStep: step) }
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
        switch value.kind {
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
