import Funnels
import YAMLNodes

/// One element of the list of exclusions of a funnel in a funnels file.
struct ExclusionEntry {
    /// The exclusion that the element defines.
    let exclusion: Exclusion
    /// The element, for errors about it.
    let node: YAMLNode
    /// The list of alternatives, for errors about it.
    let anyNode: YAMLNode?
    private let fromNode: YAMLNode?
    private let toNode: YAMLNode?

    init(_ node: YAMLNode, of funnel: String) throws(ConfigurationError) {
        self.node = node
        let what = "\(funnel), exclude"
        let entries = try node.mapping(what)
        try entries.allow(only: FilterEntries.keys + ["from", "to"])
        let filters = try FilterEntries(entries, of: what)
        anyNode = filters.anyNode
        fromNode = entries["from"]
        toNode = entries["to"]
        let from = try fromNode?.text("\(what), from")
        let to = try toNode?.text("\(what), to")
        exclusion = Exclusion(any: filters.filters, from: from, to: to)
    }

    /// The node that names a step; the whole element where none does.
    func node(ofStep step: String?) -> YAMLNode {
        let isFrom = exclusion.from.map { $0.utf8.elementsEqual((step ?? "").utf8) } ?? false
        return (isFrom ? fromNode : step == nil ? fromNode ?? toNode : toNode) ?? node
    }
}
