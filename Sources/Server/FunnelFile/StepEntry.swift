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
    /// The list of alternatives, for errors about it.
    let anyNode: YAMLNode?
    /// The node that says whether the step is optional, for errors about it.
    let optionalNode: YAMLNode?

    init(_ node: YAMLNode, of funnel: String) throws(ConfigurationError) {
        let keys = try node.mapping("\(funnel), a step")
        nameNode = try keys.required("name")
        let name = try nameNode.text("\(funnel), a step's name")
        let what = "\(funnel), step '\(name)'"
        let entries = try node.mapping(what)
        try entries.allow(only: ["name"] + FilterEntries.keys + ["optional", "sum"])
        let filters = try FilterEntries(entries, of: what)
        anyNode = filters.anyNode
        optionalNode = entries["optional"]
        let isOptional = try optionalNode.map { node throws(ConfigurationError) in
            guard case .bool(let value) = node.content else {
                throw node.error("\(what), optional: expected true or false, found \(node.found)")
            }
            return value
        }
        let sum = try entries["sum"].map { node throws(ConfigurationError) in try SumEntry(node, of: what) }
        step = Step(name: name, any: filters.filters, sum: sum?.sum, isOptional: isOptional ?? false)
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
