import Funnels
import YAMLNodes

/// The patterns of a step or an exclusion in a funnels file: `event` and `where`, or a list of these under `any`.
enum PatternEntries {
    /// The keys of ``patterns(_:of:)``.
    static let keys = ["event", "where", "any"]

    /// Reads the patterns, in the order of the file.
    static func patterns(_ entries: YAMLMapping, of what: String) throws(ConfigurationError) -> [EventPattern] {
        guard let anyNode = entries["any"] else { return [try pattern(entries, of: what)] }
        for key in ["event", "where"] {
            guard let node = entries[key] else { continue }
            throw node.error("\(what): '\(key)' stands beside 'any': expected it in each of the alternatives")
        }
        var patterns: [EventPattern] = []
        for node in try anyNode.list("\(what), any", of: "alternatives") {
            let entries = try node.mapping("\(what), any")
            try entries.allow(only: ["event", "where"])
            patterns.append(try pattern(entries, of: "\(what), any"))
        }
        return patterns
    }

    /// Reads `event` and `where`.
    static func pattern(_ entries: YAMLMapping, of what: String) throws(ConfigurationError) -> EventPattern {
        let event = try entries.required("event").text("\(what), event")
        return EventPattern(event: event, conditions: try ConditionsEntry(entries["where"], of: what).conditions)
    }
}
