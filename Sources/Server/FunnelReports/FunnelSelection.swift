/// Which funnels a report is about.
public enum FunnelSelection {
    /// The funnels that were asked for: in the order of the names, each once; all that are known where none is named.
    ///
    /// - Parameters:
    ///   - names: what was asked for.
    ///   - known: the names of all funnels, in the order of the funnels file.
    /// - Throws: ``UnknownFunnelError`` for the first name that is not known.
    public static func select(_ names: [String], from known: [String]) throws(UnknownFunnelError) -> [String] {
        guard !names.isEmpty else { return known }
        var selected: [String] = []
        for name in names where !selected.contains(name) {
            guard known.contains(name) else { throw UnknownFunnelError(name: name, known: known) }
            selected.append(name)
        }
        return selected
    }
}

/// A funnel was asked for that the store does not count.
public struct UnknownFunnelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was asked for.
    public let name: String
    /// The funnels that there are.
    public let known: [String]

    /// The mistake, and the names to choose from.
    public var description: String {
        let name = TerminalText.visible(name)
        return known.isEmpty
            ? "there is no funnel '\(name)': the store has none yet, run funnel-consumer first"
            : "there is no funnel '\(name)': the store has \(known.joined(separator: ", "))"
    }
}
