import Foundation
package import Funnels
internal import FlowEvents

/// The names of screens that somebody has written down: in a funnel, or in a list.
///
/// A name that is in neither is often a typing error, and then no funnel will ever count it.
package struct KnownScreens: Sendable, Hashable {
    // Bytes, as funnels compare them: texts can be equal as strings although their bytes differ.
    private var names: Set<[UInt8]> = []
    private var tests: [Condition.Test] = []

    /// Creates the set of all screens that funnels or a list name.
    ///
    /// - Parameters:
    ///   - funnels: the funnels. A condition on the beginning or a part of a name knows all screens that it chooses.
    ///   - list: more names.
    package init(funnels: [Funnel], list: [String] = []) {
        names = Set(list.map { Array($0.utf8) })
        let field = Field.data("screen")
        for pattern in funnels.flatMap(\.patterns) {
            for condition in pattern.conditions where condition.field == field {
                switch condition.test {
                case .isOneOf(let values), .isNoneOf(let values):
                    for case .string(let name) in values { names.insert(Array(name.utf8)) }
                case .hasPrefix, .contains: tests.append(condition.test)
                case .exists, .greaterThan, .atLeast, .lessThan, .atMost: break
                }
            }
        }
    }

    /// Whether a screen is known.
    package func contains(_ screen: String) -> Bool {
        names.contains(Array(screen.utf8))
            || tests.contains { test in
                switch test {
                case .hasPrefix(let text): screen.utf8.starts(with: text.utf8)
                case .contains(let text): screen.utf8.firstRange(of: Array(text.utf8)) != nil
                default: false
                }
            }
    }

    /// Returns the names in the lines of a list. Empty lines and lines that begin with `#` are no names.
    package static func names(in lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
