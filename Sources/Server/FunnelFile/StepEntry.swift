import FlowEvents
import Funnels
import YAMLNodes

/// One element of the list of steps of a funnel in a funnels file.
struct StepEntry {
    /// The step that the element defines.
    let step: Step
    /// The node of the name, for errors about the name.
    let nameNode: YAMLNode

    init(_ node: YAMLNode, of funnel: String) throws(ConfigurationError) {
        let keys = try node.mapping("\(funnel), a step")
        nameNode = try keys.required("name")
        let name = try nameNode.text("\(funnel), a step's name")
        let what = "\(funnel), step '\(name)'"
        let entries = try node.mapping(what)
        try entries.allow(only: ["name", "event", "where"])
        let event = try entries.required("event").text("\(what), event")
        var conditions: [Condition] = []
        if let node = entries["where"] {
            for entry in try node.mapping("\(what), where").entries {
                let field = try FunnelEntry.field(entry.key, at: entry.keyNode, of: "\(what), where")
                let condition = "\(what), where '\(entry.key)'"
                conditions.append(Condition(field, in: try Self.values(entry.value, of: condition)))
            }
        }
        step = Step(name: name, event: event, conditions: conditions)
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
        case .number(let value) where value.isFinite: return .number(value)
        case .number:
            let written = node.scalarText ?? ""
            throw node.error("\(what): '\(written)' is a number that no event can have: expected a finite one")
        default:
            throw node.error("\(what): expected a text, a number or a truth value, found \(content.description)")
        }
    }
}
