import Foundation

/// Any JSON, for comparing what commands print.
enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Reads a text.
    init(parsing text: String) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The value without what depends on the partitions, which days are settled and final, and without the means, which
    /// the examples do not have.
    var compared: JSONValue {
        let left: Set = ["settled_to", "final_to", "held_back_by", "state", "per_actor", "per_actor_interval"]
        return switch self {
        case .array(let elements): .array(elements.map(\.compared))
        case .object(let members): .object(members.filter { !left.contains($0.key) }.mapValues(\.compared))
        default: self
        }
    }
}
