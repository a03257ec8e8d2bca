import FlowEvents

/// The version of a ``DefinitionsDocument``. It is read first, because a newer version may have changed the rest.
struct DefinitionsVersion: Decodable {
    let version: Int
}

/// The JSON form of ``FunnelDefinitions``, separate from ``Funnel`` so that each can change without the other.
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

    /// A field: exactly one of both is set. A path could not distinguish a field of `data` named `properties.x` from a
    /// property.
    struct FieldDefinition: Codable {
        var data: String?
        var property: String?
    }

    /// A value: exactly one of them is set. The names distinguish the text "inf" from an infinite number.
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
        windowMilliseconds = funnel.windowMilliseconds
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
            guard let count = Counting(rawValue: count) else { throw StoredDefinitionsError.damaged }
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
            default: throw StoredDefinitionsError.damaged
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
            default: throw StoredDefinitionsError.damaged
            }
        }
    }
}
