import Foundation

/// Shows progress: a bar on a terminal, and a few lines anywhere else.
///
/// ```swift
/// var progress = ProgressDisplay.standardError
/// if let text = progress.text(for: 0.5) { StandardError.write(text) }
/// StandardError.write(progress.ending)
/// ```
package struct ProgressDisplay: Sendable {
    private static let barWidth = 40
    private let isTerminal: Bool
    private var lastPercent: Int?

    /// Creates a display.
    ///
    /// - Parameter isTerminal: whether the output is a terminal.
    package init(isTerminal: Bool) {
        self.isTerminal = isTerminal
    }

    /// A display for standard error that has shown nothing yet.
    package static let standardError = ProgressDisplay(isTerminal: isatty(STDERR_FILENO) == 1)

    /// Returns the text to write now, or `nil` if the progress has not changed enough.
    ///
    /// - Parameter share: the progress, from 0 to 1.
    package mutating func text(for share: Double) -> String? {
        let percent = Int(share * 100)
        let step = isTerminal ? 1 : 25
        guard lastPercent.map({ percent / step > $0 / step }) ?? true else { return nil }
        lastPercent = percent
        guard isTerminal else { return "   \(percent / step * step)%\n" }
        let filled = percent * Self.barWidth / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
        return "\r   \(bar) \(percent)%"
    }

    /// The text to write at the end.
    package var ending: String { isTerminal ? "\n" : "" }
}
