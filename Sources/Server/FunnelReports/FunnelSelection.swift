import Funnels

/// Selects the funnels of a report.
package enum FunnelSelection {
    /// Returns the requested names without repeats, or all known names where none is requested.
    ///
    /// - Parameters:
    ///   - names: the requested names.
    ///   - known: the names of all funnels, in the order of the funnels file.
    /// - Throws: `UnknownFunnels` for the first unknown name.
    package static func select(_ names: [String], from known: [String]) throws(UnknownFunnels) -> [String] {
        guard !names.isEmpty else { return known }
        var selected: [String] = []
        for name in names where !selected.contains(name) {
            guard known.contains(name) else { throw UnknownFunnels(names: [name], known: known, in: .store) }
            selected.append(name)
        }
        return selected
    }
}
