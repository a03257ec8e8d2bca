import FlowEvents

/// The version of a ``DefinitionsDocument``, read before the rest, which a newer version may have changed.
struct DefinitionsVersion: Decodable {
    let version: Int
}

/// The JSON of ``FunnelDefinitions``. It is apart from ``Funnel`` so that neither binds the other's form.
struct DefinitionsDocument: Codable {
    static let currentVersion = 1

    let version: Int
    let funnels: [Definition]

    struct Definition: Codable {
        let name: String
        let description: String?
        let count: String
        let windowMilliseconds: Int64
        let breakdown: FieldDefinition?
        let steps: [StepDefinition]
    }

    struct StepDefinition: Codable {
        let name: String
        let event: String
        let conditions: [ConditionDefinition]
    }

    struct ConditionDefinition: Codable {
        let field: FieldDefinition
        let values: [ValueDefinition]
    }

    /// Exactly one of both: a path could not tell a field of `data` named `properties.x` from a property.
    struct FieldDefinition: Codable {
        var data: String?
        var property: String?
    }

    /// Exactly one of them, named so that an infinite number is not taken for a text.
    struct ValueDefinition: Codable {
        var string: String?
        var number: Double?
        var bool: Bool?
    }
}

extension DefinitionsDocument.Definition {
    init(_ funnel: Funnel) {
        name = funnel.name
        description = funnel.description
        count = funnel.count.rawValue
        windowMilliseconds = funnel.window
        breakdown = funnel.breakdown.map { .init($0) }
        steps = funnel.steps.map { step in
            let conditions = step.conditions.map { condition in
                DefinitionsDocument.ConditionDefinition(
                    field: .init(condition.field),
                    values: condition.values.map { .init($0) }
                )
            }
            return DefinitionsDocument.StepDefinition(name: step.name, event: step.event, conditions: conditions)
        }
    }

    var funnel: Funnel {
        get throws {
            guard let count = Counting(rawValue: count) else { throw FunnelDefinitionsError.damaged }
            return try Funnel(
                name: name,
                description: description,
                count: count,
                window: .milliseconds(windowMilliseconds),
                breakdown: breakdown.map { try $0.field },
                steps: steps.map { step in
                    let conditions = try step.conditions.map { condition in
                        Condition(try condition.field.field, in: try condition.values.map { try $0.value })
                    }
                    return Step(name: step.name, event: step.event, conditions: conditions)
                }
            )
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
            default: throw FunnelDefinitionsError.damaged
            }
        }
    }
}

extension DefinitionsDocument.ValueDefinition {
    init(_ value: PropertyValue) {
        switch value {
        case .string(let value): self.init(string: value)
        case .number(let value): self.init(number: value)
        case .bool(let value): self.init(bool: value)
        }
    }

    var value: PropertyValue {
        get throws {
            switch (string, number, bool) {
            case (let value?, nil, nil): return .string(value)
            case (nil, let value?, nil): return .number(value)
            case (nil, nil, let value?): return .bool(value)
            default: throw FunnelDefinitionsError.damaged
            }
        }
    }
}
