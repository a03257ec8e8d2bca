import FlowEvents
import Funnels
import YAMLNodes

/// One element of the list of funnels in a funnels file.
struct FunnelEntry {
    /// The funnel that the element defines.
    let funnel: Funnel
    /// The node of the name, for errors about the name.
    let nameNode: YAMLNode

    init(_ node: YAMLNode) throws(ConfigurationError) {
        let keys = try node.mapping("a funnel")
        let nameNode = try keys.required("name")
        let name = try nameNode.text("a funnel's name")
        let what = "funnel '\(name)'"
        let entries = try node.mapping(what)
        try entries.allow(only: ["name", "description", "count", "window", "breakdown", "steps"])
        let windowNode = try entries.required("window")
        let stepsNode = try entries.required("steps")
        let window = try windowNode.duration("\(what), window")
        let count = try entries["count"].map { node throws(ConfigurationError) in try Self.counting(node, of: what) }
        let breakdown = try entries["breakdown"].map { node throws(ConfigurationError) in
            try Self.field(try node.text("\(what), breakdown"), at: node, of: "\(what), breakdown")
        }
        let description = try entries["description"].map { node throws(ConfigurationError) in
            try node.text("\(what), description")
        }
        var steps: [StepEntry] = []
        for node in try stepsNode.list("\(what), steps", of: "steps") {
            steps.append(try StepEntry(node, of: what))
        }
        do {
            funnel = try Funnel(
                name: name,
                description: description,
                count: count ?? .installs,
                window: window,
                breakdown: breakdown,
                steps: steps.map(\.step)
            )
        } catch {
            let wrongNode: YAMLNode? =
                switch error.code {
                case .invalidName: nameNode
                case .invalidWindow: windowNode
                case .invalidStepCount: stepsNode
                case .duplicateStep: steps.last { $0.step.name.utf8.elementsEqual((error.step ?? "").utf8) }?.nameNode
                default: nil
                }
            throw (wrongNode ?? node).error(error.message)
        }
        self.nameNode = nameNode
    }

    private static func counting(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> Counting {
        let known = Counting.allCases.map(\.rawValue).joined(separator: " or ")
        guard case .string(let text) = node.content, let counting = Counting(rawValue: text) else {
            let found = node.scalarText.map { "'\($0)'" } ?? node.content.description
            throw node.error("\(what), count: expected \(known), found \(found)")
        }
        return counting
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
