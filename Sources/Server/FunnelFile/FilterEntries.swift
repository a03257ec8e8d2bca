import Funnels
import YAMLNodes

/// The filters of a step or an exclusion in a funnels file: `event` and `where`, or a list of these under `any`.
enum FilterEntries {
    /// The keys of ``filters(_:of:)``.
    static let keys = ["event", "where", "any"]

    /// Reads the filters, in the order of the file.
    static func filters(_ entries: YAMLMapping, of what: String) throws(ConfigurationError) -> [EventFilter] {
        guard let anyNode = entries["any"] else { return [try filter(entries, of: what)] }
        for key in ["event", "where"] {
            guard let node = entries[key] else { continue }
            throw node.error("\(what): '\(key)' stands beside 'any': expected it in each of the alternatives")
        }
        var filters: [EventFilter] = []
        for node in try anyNode.list("\(what), any", of: "alternatives") {
            let entries = try node.mapping("\(what), any")
            try entries.allow(only: ["event", "where"])
            filters.append(try filter(entries, of: "\(what), any"))
        }
        return filters
    }

    /// Reads `event` and `where`.
    static func filter(_ entries: YAMLMapping, of what: String) throws(ConfigurationError) -> EventFilter {
        let event = try entries.required("event").text("\(what), event")
        return EventFilter(event: event, conditions: try ConditionsEntry(entries["where"], of: what).conditions)
    }
}
