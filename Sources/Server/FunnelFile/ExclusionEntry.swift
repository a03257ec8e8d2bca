import Funnels
import YAMLNodes

/// One element of the list of exclusions of a funnel in a funnels file.
enum ExclusionEntry {
    static func exclusion(_ node: YAMLNode, of funnel: String) throws(ConfigurationError) -> Exclusion {
        let what = "\(funnel), exclude"
        let entries = try node.mapping(what)
        try entries.allow(only: PatternEntries.keys + ["from", "to"])
        let patterns = try PatternEntries.patterns(entries, of: what)
        let from = try entries["from"]?.text("\(what), from")
        let to = try entries["to"]?.text("\(what), to")
        return Exclusion(any: patterns, from: from, to: to)
    }
}
