import FlowEvents
import Funnels
import YAMLNodes

/// The `breakdown` of a funnel in a funnels file: a field, `{field:, step:}`, or a list of these.
enum BreakdownEntry {
    static func breakdown(_ node: YAMLNode, of funnel: String) throws(ConfigurationError) -> Breakdown {
        let what = "\(funnel), breakdown"
        guard case .list = node.content else {
            let part = try Self.part(node, of: what)
            return Breakdown(part.field, ofStep: part.step)
        }
        var parts: [Breakdown.Part] = []
        for node in try node.list(what, of: "parts") { parts.append(try part(node, of: what)) }
        return Breakdown(list: parts)
    }

    private static func part(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> Breakdown.Part {
        guard case .mapping = node.content else { return Breakdown.Part(try FieldEntry.field(node, of: what)) }
        let entries = try node.mapping(what)
        try entries.allow(only: ["field", "step"])
        let field = try FieldEntry.field(try entries.required("field"), of: "\(what), field")
        return Breakdown.Part(field, ofStep: try entries["step"]?.text("\(what), step"))
    }
}

/// The `next` of a funnel in a funnels file.
enum NextEntry {
    static func next(_ node: YAMLNode, of funnel: String) throws(ConfigurationError) -> NextEvent {
        let what = "\(funnel), next"
        let entries = try node.mapping(what)
        try entries.allow(only: ["event", "where", "field"])
        let pattern = try PatternEntries.pattern(entries, of: what)
        let field = try FieldEntry.field(try entries.required("field"), of: "\(what), field")
        return NextEvent(pattern.event, conditions: pattern.conditions, field: field)
    }
}

/// The `experiment` of a funnel in a funnels file.
enum ExperimentEntry {
    static func experiment(_ node: YAMLNode, of funnel: String) throws(ConfigurationError) -> Experiment {
        let what = "\(funnel), experiment"
        let entries = try node.mapping(what)
        try entries.allow(only: ["control", "shares"])
        let control = try value(try entries.required("control"), of: "\(what), control")
        guard let sharesNode = entries["shares"] else { return Experiment(control: control) }
        let shares = try sharesNode.mapping("\(what), shares")
        guard !shares.entries.isEmpty else {
            throw sharesNode.error("\(what), shares: expected a share for each variant, found \(sharesNode.found)")
        }
        var list: [Experiment.Share] = []
        for entry in shares.entries {
            guard case .number(let number) = entry.value.content, number.isFinite, number > 0 else {
                throw entry.value.error(
                    "\(what), share of '\(entry.key)': expected a number of more than 0, found \(entry.value.found)"
                )
            }
            list.append(Experiment.Share(entry.key, number.double))
        }
        return Experiment(control: control, shareList: list)
    }

    /// A value of the breakdown, as a report shows it.
    private static func value(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> String {
        switch node.content {
        case .string(let text): return text
        case .number(let number) where number.isFinite: return number.description
        case .bool(let value): return String(value)
        default: throw node.error("\(what): expected a value of the breakdown, found \(node.found)")
        }
    }
}
