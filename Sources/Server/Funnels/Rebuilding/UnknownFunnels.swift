import FlowEvents

/// Somebody asks for funnels that do not exist.
public struct UnknownFunnels: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where the funnels were looked for.
    package enum Place: String, Sendable {
        case store = "the store has"
        case file = "the funnels file has"
        case fileAndStore = "the funnels file and the store have"
    }

    /// The unknown names.
    public let names: [String]
    /// The names of the funnels that exist, each once.
    public let known: [String]
    private let place: Place

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - names: the unknown names.
    ///   - known: the names of the funnels that exist. They may repeat.
    ///   - place: where the funnels were looked for.
    package init(names: [String], known: [String], in place: Place) {
        var seen: Set<String> = []
        self.names = names
        self.known = known.filter { seen.insert($0).inserted }
        self.place = place
    }

    /// The mistake and the known names, as a sentence for people.
    public var description: String {
        let unknown = names.map { "'\(TerminalText.visible($0))'" }.joined(separator: ", ")
        return "there is no funnel \(unknown): \(place.rawValue) \(known.joined(separator: ", "))"
    }
}
