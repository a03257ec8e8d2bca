import FlowEvents

/// The version of a ``DefinitionsDocument``. It is read first, because a newer version may have changed the rest.
struct DefinitionsVersion: Decodable {
    let version: Int
}

/// The JSON form of ``FunnelDefinitions``, separate from ``Funnel`` so that each can change without the other.
///
/// Version 2 adds keys, each of which is absent where the funnel has the default. A document without these keys has
/// version 1, which earlier programs read. Version 3 has numbers that are
/// no doubles, see ``StoredNumber``.
struct DefinitionsDocument: Codable {
    static let versions = 1...3

    let version: Int
    let funnels: [Definition]

    init(funnels: [Definition]) {
        version = funnels.contains(where: \.needsVersion3) ? 3 : funnels.contains(where: \.needsVersion2) ? 2 : 1
        self.funnels = funnels
    }

    struct Definition: Codable {
        let name: String
        let description: String?
        /// `installs`, `sessions`, or `by` for the field ``by``.
        let count: String
        let by: FieldDefinition?
        let entry: String?
        let windowMilliseconds: Int64
        let breakdown: FieldDefinition?
        let timeZone: String?
        let exclusions: [ExclusionDefinition]?
        let steps: [StepDefinition]

        fileprivate var needsVersion2: Bool {
            by != nil || entry != nil || timeZone != nil || exclusions != nil
                || steps.contains { $0.sum != nil || $0.conditions.contains { $0.values == nil } }
        }

        fileprivate var needsVersion3: Bool {
            (steps.flatMap(\.conditions) + (exclusions ?? []).flatMap(\.conditions)).contains(where: \.needsVersion3)
        }
    }

    struct StepDefinition: Codable {
        let name: String
        let event: String
        let conditions: [ConditionDefinition]
        let sum: SumDefinition?
    }

    struct ExclusionDefinition: Codable {
        let event: String
        let conditions: [ConditionDefinition]
        let from: String?
        let to: String?
    }

    struct SumDefinition: Codable {
        let field: FieldDefinition
        let decimals: Int
        let unit: FieldDefinition?
    }

    /// A condition: exactly one key besides the field is set.
    struct ConditionDefinition: Codable {
        let field: FieldDefinition
        var values: [ValueDefinition]?
        var not: [ValueDefinition]?
        var exists: Bool?
        var gt: StoredNumber?
        var gte: StoredNumber?
        var lt: StoredNumber?
        var lte: StoredNumber?
        var prefix: String?
        var contains: String?

        fileprivate var needsVersion3: Bool {
            let bounds = [gt, gte, lt, lte].compactMap { $0 }
            let values = ((values ?? []) + (not ?? [])).compactMap(\.number)
            return (bounds + values).contains(where: \.needsVersion3)
        }
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
        var number: StoredNumber?
        var bool: Bool?
    }
}
