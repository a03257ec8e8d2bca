import FlowEvents
import Funnels
import YAMLNodes

/// One element of the list of steps of a funnel in a funnels file.
struct StepEntry {
    /// The step that the element defines.
    let step: Step
    /// The node of the name, for errors about the name.
    let nameNode: YAMLNode
    /// The node of the sum's decimals, for errors about them.
    let decimalsNode: YAMLNode?

    init(_ node: YAMLNode, of funnel: String) throws(ConfigurationError) {
        let keys = try node.mapping("\(funnel), a step")
        nameNode = try keys.required("name")
        let name = try nameNode.text("\(funnel), a step's name")
        let what = "\(funnel), step '\(name)'"
        let entries = try node.mapping(what)
        try entries.allow(only: ["name", "event", "where", "sum"])
        let event = try entries.required("event").text("\(what), event")
        let conditions = try ConditionsEntry(entries["where"], of: what).conditions
        let sum = try entries["sum"].map { node throws(ConfigurationError) in try SumEntry(node, of: what) }
        step = Step(name: name, event: event, conditions: conditions, sum: sum?.sum)
        decimalsNode = sum?.decimalsNode
    }
}

/// The sum of a step in a funnels file.
struct SumEntry {
    /// The sum that the mapping defines.
    let sum: Sum
    /// The node of the decimals, for errors about them.
    let decimalsNode: YAMLNode?

    init(_ node: YAMLNode, of step: String) throws(ConfigurationError) {
        let what = "\(step), sum"
        let entries = try node.mapping(what)
        try entries.allow(only: ["field", "decimals", "unit"])
        let field = try FieldEntry.field(try entries.required("field"), of: "\(what), field")
        decimalsNode = entries["decimals"]
        let decimals = try decimalsNode.map { node throws(ConfigurationError) in
            guard let decimals = node.wholeNumber else {
                let range = "\(Sum.decimalsRange.lowerBound) to \(Sum.decimalsRange.upperBound)"
                throw node.error("\(what), decimals: expected a whole number from \(range), found \(node.found)")
            }
            return decimals
        }
        let unit = try entries["unit"].map { node throws(ConfigurationError) in
            try FieldEntry.field(node, of: "\(what), unit")
        }
        sum = Sum(field, decimals: decimals ?? 0, unit: unit)
    }
}
