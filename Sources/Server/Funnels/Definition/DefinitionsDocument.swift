import FlowEvents

/// The version of a ``DefinitionsDocument``. It is read first, because a newer version may have changed the rest.
struct DefinitionsVersion: Decodable {
    let version: Int
}

/// The JSON form of ``FunnelDefinitions``, separate from ``Funnel`` so that each can change without the other.
///
/// Version 2 adds keys, each of which is absent where the funnel has the default. A document without these keys has
/// version 1, which earlier programs read. Version 3 has numbers that are no doubles, see ``StoredNumber``. Version 4 has
/// alternatives, optional steps, breakdowns of other steps or of several parts, ``NextEvent`` and experiments.
struct DefinitionsDocument: Codable {
    static let versions = 1...4

    let version: Int
    let funnels: [Definition]

    init(funnels: [Definition]) {
        version = funnels.map(\.leastVersion).max() ?? 1
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
        /// The field of a breakdown by a field of the first step that is no list; ``parts`` for other ones.
        let breakdown: FieldDefinition?
        let parts: PartsDefinition?
        let timeZone: String?
        let exclusions: [ExclusionDefinition]?
        let next: NextDefinition?
        let experiment: ExperimentDefinition?
        let steps: [StepDefinition]

        fileprivate var leastVersion: Int {
            let conditions = steps.flatMap(\.conditions) + (exclusions ?? []).flatMap(\.conditions)
            if parts != nil || next != nil || experiment != nil { return 4 }
            if steps.contains(where: { $0.any != nil || $0.optional != nil }) { return 4 }
            if exclusions?.contains(where: { $0.any != nil }) ?? false { return 4 }
            if conditions.contains(where: \.needsVersion3) { return 3 }
            let isOfVersion2 =
                by != nil || entry != nil || timeZone != nil || exclusions != nil || steps.contains { $0.sum != nil }
                || conditions.contains { $0.values == nil }
            return isOfVersion2 ? 2 : 1
        }
    }

    struct PartsDefinition: Codable {
        let isList: Bool
        let parts: [PartDefinition]
    }

    struct PartDefinition: Codable {
        let field: FieldDefinition
        let step: String?
    }

    struct FilterDefinition: Codable {
        let event: String
        let conditions: [ConditionDefinition]
    }

    struct NextDefinition: Codable {
        let event: String
        let conditions: [ConditionDefinition]
        let field: FieldDefinition
    }

    struct ExperimentDefinition: Codable {
        let control: String
        let shares: [ShareDefinition]
    }

    struct ShareDefinition: Codable {
        let value: String
        let weight: Double
    }

    struct StepDefinition: Codable {
        let name: String
        let event: String
        let conditions: [ConditionDefinition]
        /// The alternatives behind the first, which is ``event`` with its ``conditions``.
        let any: [FilterDefinition]?
        let sum: SumDefinition?
        let optional: Bool?
    }

    struct ExclusionDefinition: Codable {
        let event: String
        let conditions: [ConditionDefinition]
        /// The alternatives behind the first, which is ``event`` with its ``conditions``.
        let any: [FilterDefinition]?
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
