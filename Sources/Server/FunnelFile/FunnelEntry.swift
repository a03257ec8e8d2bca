import FlowEvents
import Funnels
import YAMLNodes

/// One element of the list of funnels in a funnels file.
struct FunnelEntry {
    /// The funnel that the element defines.
    let funnel: Funnel
    /// The node of the name, for errors about the name.
    let nameNode: YAMLNode

    init(_ node: YAMLNode, timeZone: FunnelTimeZone) throws(ConfigurationError) {
        let keys = try node.mapping("a funnel")
        let nameNode = try keys.required("name")
        let name = try nameNode.text("a funnel's name")
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
            try BreakdownEntry(node, of: what)
        }
        let next = try entries["next"].map { node throws(ConfigurationError) in try NextEntry.next(node, of: what) }
        let experiment = try entries["experiment"].map { node throws(ConfigurationError) in
            try ExperimentEntry.experiment(node, of: what)
        }
        let description = try entries["description"].map { node throws(ConfigurationError) in
            try node.text("\(what), description")
        }
        var exclusions: [ExclusionEntry] = []
        for node in try entries["exclude"]?.list("\(what), exclude", of: "exclusions") ?? [] {
            exclusions.append(try ExclusionEntry(node, of: what))
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
                entry: entry ?? .any,
                window: window,
                breakdown: breakdown?.breakdown,
                timeZone: timeZone,
                exclusions: exclusions.map(\.exclusion),
                next: next,
                experiment: experiment,
                steps: steps.map(\.step)
            )
        } catch {
            let step = steps.last { $0.step.name.utf8.elementsEqual((error.step ?? "").utf8) }
            let wrongNode: YAMLNode? =
                switch error.code {
                case .invalidName: nameNode
                case .invalidWindow: windowNode
                case .invalidStepCount: stepsNode
                case .duplicateStep: step?.nameNode
                case .invalidDecimals: step?.decimalsNode
                case .invalidAlternatives: error.exclusion.map { exclusions[$0].anyNode } ?? step?.anyNode
                case .invalidOptionalStep: step?.optionalNode
                case .invalidBreakdown: breakdown?.node(ofPart: nil)
                case .invalidExperiment: entries["experiment"]
                case .unknownStep where error.part != nil: breakdown?.node(ofPart: error.part)
                case .unknownStep, .invalidExclusion: error.exclusion.map { exclusions[$0].node(ofStep: error.step) }
                default: nil
                }
            throw (wrongNode ?? node).error(error.message)
        }
        self.nameNode = nameNode
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
    /// Creates the error of a value that is none of the known ones.
    fileprivate func unexpected(_ what: String, expected: String) -> ConfigurationError {
        error("\(what): expected \(expected), found \(found)")
    }
}
