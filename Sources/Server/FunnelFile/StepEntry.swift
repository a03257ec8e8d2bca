import FlowEvents
import Funnels
import YAMLNodes

/// One element of the list of steps of a funnel in a funnels file.
enum StepEntry {
    static func step(_ node: YAMLNode, of funnel: String) throws(ConfigurationError) -> Step {
        let name = try node.mapping("\(funnel), a step").required("name").text("\(funnel), a step's name")
        let what = "\(funnel), step '\(name)'"
        let entries = try node.mapping(what)
        try entries.allow(only: ["name"] + PatternEntries.keys + ["optional", "sum"])
        let patterns = try PatternEntries.patterns(entries, of: what)
        let isOptional = try entries["optional"].map { node throws(ConfigurationError) in
            guard case .bool(let value) = node.content else {
                throw node.error("\(what), optional: expected true or false, found \(node.found)")
            }
            return value
        }
        let sum = try entries["sum"].map { node throws(ConfigurationError) in try Self.sum(node, of: what) }
        return Step(name: name, any: patterns, sum: sum, isOptional: isOptional ?? false)
    }

    private static func sum(_ node: YAMLNode, of step: String) throws(ConfigurationError) -> Sum {
        let what = "\(step), sum"
        let entries = try node.mapping(what)
        try entries.allow(only: ["field", "decimals", "unit"])
        let field = try FieldEntry.field(try entries.required("field"), of: "\(what), field")
        let decimals = try entries["decimals"].map { node throws(ConfigurationError) in
            guard let decimals = node.wholeNumber else {
                let range = "\(Sum.decimalsRange.lowerBound) to \(Sum.decimalsRange.upperBound)"
                throw node.error("\(what), decimals: expected a whole number from \(range), found \(node.found)")
            }
            return decimals
        }
        let unit = try entries["unit"].map { node throws(ConfigurationError) in
            try FieldEntry.field(node, of: "\(what), unit")
        }
        return Sum(field, decimals: decimals ?? 0, unit: unit)
    }
}
