import Foundation

/// The width and the colors of standard output.
///
/// ```swift
/// let terminal = Terminal.standardOutput(environment: ProcessInfo.processInfo.environment)
/// ```
package struct Terminal: Sendable, Hashable {
    /// The columns of a line; 80 if unknown.
    package let width: Int
    /// Whether to write colors: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    package let hasColor: Bool

    /// Whether standard input is a terminal, so that a person can be asked.
    package static var canAsk: Bool { isatty(STDIN_FILENO) == 1 }

    /// Returns the properties of standard output.
    package static func standardOutput(environment: [String: String]) -> Terminal {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        var size = winsize()
        let columns = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : nil
        return Terminal(isTerminal: isTerminal, columns: columns, environment: environment)
    }

    /// Creates a terminal from its properties and the environment.
    ///
    /// - Parameters:
    ///   - isTerminal: whether the output is a terminal.
    ///   - columns: the terminal's width, if known.
    ///   - environment: `COLUMNS` overrides the terminal's width; [`NO_COLOR`](https://no-color.org) turns colors off if it
    ///     is not empty.
    package init(isTerminal: Bool, columns: Int?, environment: [String: String]) {
        let asked = environment["COLUMNS"].flatMap { Int($0) } ?? columns ?? 0
        width = asked > 0 ? asked : 80
        let isColorRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        hasColor = isTerminal && !isColorRefused && environment["TERM"] != "dumb"
    }
}
