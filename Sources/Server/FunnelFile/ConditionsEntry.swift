import FlowEvents
import Funnels
import YAMLNodes

/// The mapping of a `where` in a funnels file.
struct ConditionsEntry {
    /// The conditions, in the order of the file.
    let conditions: [Condition]

    /// Reads the `where` of a step or an exclusion; no conditions where there is none.
    init(_ node: YAMLNode?, of what: String) throws(ConfigurationError) {
        var conditions: [Condition] = []
        let entries = try node?.mapping("\(what), where").entries
        if let node, entries?.isEmpty == true {
            throw node.error("\(what), where: expected one or more fields, found \(node.found)")
        }
        for entry in entries ?? [] {
            let field = try FieldEntry.field(entry.key, at: entry.keyNode, of: "\(what), where")
            for test in try Self.tests(entry.value, of: "\(what), where '\(entry.key)'") {
                conditions.append(Condition(field, test))
            }
        }
        self.conditions = conditions
    }

    private static let operators = ["not", "exists", "gt", "gte", "lt", "lte", "prefix", "contains"]

    private static func tests(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> [Condition.Test] {
        guard case .mapping = node.content else { return [.isOneOf(try values(node, of: what))] }
        let entries = try node.mapping(what).entries
        let known = operators.joined(separator: ", ")
        guard !entries.isEmpty else {
            throw node.error("\(what): expected a value, a list, or one or more of \(known); found \(node.found)")
        }
        var tests: [Condition.Test] = []
        for entry in entries {
            guard operators.contains(entry.key) else {
                throw entry.keyNode.error("\(what): unknown operator '\(entry.key)': expected \(known)")
            }
            tests.append(try test(entry.key, entry.value, of: "\(what), \(entry.key)"))
        }
        return tests
    }

    private static func test(
        _ name: String,
        _ node: YAMLNode,
        of what: String
    ) throws(ConfigurationError) -> Condition.Test {
        switch name {
        case "not": .isNoneOf(try values(node, of: what))
        case "exists": .exists(try truth(node, of: what))
        case "gt": .greaterThan(try number(node, of: what))
        case "gte": .atLeast(try number(node, of: what))
        case "lt": .lessThan(try number(node, of: what))
        case "lte": .atMost(try number(node, of: what))
        case "prefix": .hasPrefix(try text(node, of: what))
        default: .contains(try text(node, of: what))
        }
    }

    private static func values(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> [PropertyValue] {
        guard case .list(let nodes) = node.content, !nodes.isEmpty else { return [try value(node, of: what)] }
        var values: [PropertyValue] = []
        for node in nodes {
            values.append(try value(node, of: "\(what), in the list"))
        }
        return values
    }

    private static func value(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> PropertyValue {
        let content = node.content
        switch content {
        case .string(let text): return .string(text)
        case .bool(let value): return .bool(value)
        case .number: return .number(try number(node, of: what))
        default:
            throw node.error("\(what): expected a text, a number or a truth value, found \(content.description)")
        }
    }

    private static func number(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> PropertyNumber {
        let content = node.content
        guard case .number(let value) = content else {
            throw node.error("\(what): expected a number, found \(content.description)")
        }
        guard value.isFinite else {
            let written = node.scalarText ?? ""
            throw node.error("\(what): '\(written)' is a number that no event can have: expected a finite one")
        }
        return value
    }

    private static func truth(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> Bool {
        let content = node.content
        guard case .bool(let value) = content else {
            throw node.error("\(what): expected true or false, found \(content.description)")
        }
        return value
    }

    // Unlike `YAMLNode.text`, this takes an empty text.
    private static func text(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> String {
        let content = node.content
        guard case .string(let text) = content else {
            throw node.error("\(what): expected a text, found \(content.description)")
        }
        return text
    }
}

/// The path of a field in a funnels file.
enum FieldEntry {
    /// Reads a path.
    static func field(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> Field {
        try field(try node.text(what), at: node, of: what)
    }

    /// Returns the field with a path.
    ///
    /// - Throws: `ConfigurationError` at `node` where the path is not the path of a field.
    static func field(_ path: String, at node: YAMLNode, of what: String) throws(ConfigurationError) -> Field {
        guard let field = Field(path: path) else {
            throw node.error("\(what): expected a field of data, or properties.NAME, found '\(path)'")
        }
        return field
    }
}
