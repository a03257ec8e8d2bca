import FlowEvents
import Funnels
import YAMLNodes

/// One element of the list of funnels in a funnels file.
enum FunnelEntry {
    static func funnel(_ node: YAMLNode, timeZone: FunnelTimeZone) throws(ConfigurationError) -> Funnel {
        let name = try node.mapping("a funnel").required("name").text("a funnel's name")
        let what = "funnel '\(name)'"
        let entries = try node.mapping(what)
        try entries.allow(
            only: [
                "name", "description", "count", "entry", "window", "breakdown", "exclude", "next", "experiment",
                "steps",
            ]
        )
        let windowNode = try entries.required("window")
        let stepsNode = try entries.required("steps")
        let window = try windowNode.duration("\(what), window")
        let count = try entries["count"].map { node throws(ConfigurationError) in try Self.counting(node, of: what) }
        let entry = try entries["entry"].map { node throws(ConfigurationError) in try Self.entry(node, of: what) }
        let breakdown = try entries["breakdown"].map { node throws(ConfigurationError) in
            try BreakdownEntry.breakdown(node, of: what)
        }
        let next = try entries["next"].map { node throws(ConfigurationError) in try NextEntry.next(node, of: what) }
        let experiment = try entries["experiment"].map { node throws(ConfigurationError) in
            try ExperimentEntry.experiment(node, of: what)
        }
        let description = try entries["description"]?.text("\(what), description")
        var exclusions: [Exclusion] = []
        for node in try entries["exclude"]?.list("\(what), exclude", of: "exclusions") ?? [] {
            exclusions.append(try ExclusionEntry.exclusion(node, of: what))
        }
        var steps: [Step] = []
        for node in try stepsNode.list("\(what), steps", of: "steps") {
            steps.append(try StepEntry.step(node, of: what))
        }
        do {
            return try Funnel(
                name: name,
                description: description,
                count: count ?? .installs,
                entry: entry ?? .any,
                window: window,
                breakdown: breakdown,
                timeZone: timeZone,
                exclusions: exclusions,
                next: next,
                experiment: experiment,
                steps: steps
            )
        } catch {
            throw node.descendant(error.path).error(error.message)
        }
    }

    private static func counting(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> Counting {
        switch node.content {
        case .string("installs"): return .installs
        case .string("sessions"): return .sessions
        case .mapping:
            let entries = try node.mapping("\(what), count")
            try entries.allow(only: ["by"])
            return .by(try FieldEntry.field(try entries.required("by"), of: "\(what), count by"))
        default: throw node.unexpected("\(what), count", expected: "installs, sessions or {by: FIELD}")
        }
    }

    private static func entry(_ node: YAMLNode, of what: String) throws(ConfigurationError) -> Entry {
        guard case .string(let text) = node.content, let entry = Entry(rawValue: text) else {
            let known = Entry.allCases.map(\.rawValue).joined(separator: " or ")
            throw node.unexpected("\(what), entry", expected: known)
        }
        return entry
    }
}

extension YAMLNode {
    /// The node at the end of a path, or the last one on the way there.
    func descendant(_ path: [FunnelDefinitionError.PathElement]) -> YAMLNode {
        var node = self
        for element in path {
            let next: YAMLNode? =
                switch (element, node.content) {
                case (.key(let key), .mapping(let pairs)): pairs.first { $0.key.scalarText == key }?.value
                case (.index(let index), .list(let nodes)): nodes.indices.contains(index) ? nodes[index] : nil
                default: nil
                }
            guard let next else { break }
            node = next
        }
        return node
    }

    /// Creates the error of a value that is none of the known ones.
    fileprivate func unexpected(_ what: String, expected: String) -> ConfigurationError {
        error("\(what): expected \(expected), found \(found)")
    }
}
