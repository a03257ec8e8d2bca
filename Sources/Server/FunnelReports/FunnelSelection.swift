import FlowEvents

/// Selects the funnels of a report.
package enum FunnelSelection {
    /// Returns the requested names without repeats, or all known names where none is requested.
    ///
    /// - Parameters:
    ///   - names: the requested names.
    ///   - known: the names of all funnels, in the order of the funnels file.
    /// - Throws: ``UnknownFunnelError`` for the first unknown name.
    package static func select(_ names: [String], from known: [String]) throws(UnknownFunnelError) -> [String] {
        guard !names.isEmpty else { return known }
        var selected: [String] = []
        for name in names where !selected.contains(name) {
            guard known.contains(name) else { throw UnknownFunnelError(name: name, known: known) }
            selected.append(name)
        }
        return selected
    }
}

/// The store does not count a requested funnel.
package struct UnknownFunnelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The requested name.
    package let name: String
    /// The names of the funnels in the store.
    package let known: [String]

    /// The mistake and the known names, as a sentence for people.
    package var description: String {
        "there is no funnel '\(TerminalText.visible(name))': the store has \(known.joined(separator: ", "))"
    }
}
