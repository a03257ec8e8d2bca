import Foundation

/// What standard output is, as far as the look of a text goes.
public struct Terminal: Sendable, Hashable {
    /// The columns of a line; 80 where nobody says.
    public let width: Int
    /// Whether colors are wanted: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    public let hasColor: Bool

    /// Looks at standard output.
    public static func standardOutput(environment: [String: String]) -> Terminal {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        var size = winsize()
        let columns = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : nil
        return Terminal(isTerminal: isTerminal, columns: columns, environment: environment)
    }

    /// Decides from what is known.
    ///
    /// - Parameters:
    ///   - isTerminal: whether a person is looking at it.
    ///   - columns: the terminal's width, where it has one.
    ///   - environment: `COLUMNS` goes before the terminal's width; [`NO_COLOR`](https://no-color.org) counts when it
    ///     is set and not empty.
    public init(isTerminal: Bool, columns: Int?, environment: [String: String]) {
        let asked = environment["COLUMNS"].flatMap { Int($0) } ?? columns ?? 0
        width = asked > 0 ? asked : 80
        let isColorRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        hasColor = isTerminal && !isColorRefused && environment["TERM"] != "dumb"
    }
}
