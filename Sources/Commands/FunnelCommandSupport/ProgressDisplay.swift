import Foundation

/// How far something is: a bar that is drawn over itself on a terminal, and a few lines anywhere else.
public struct ProgressDisplay: Sendable {
    private static let barWidth = 40
    private let isTerminal: Bool
    private var lastPercent: Int?

    /// - Parameter isTerminal: whether a person is looking at it.
    public init(isTerminal: Bool) {
        self.isTerminal = isTerminal
    }

    /// A display on standard error, where progress belongs while standard output has what was asked for.
    public static var standardError: ProgressDisplay { ProgressDisplay(isTerminal: isatty(STDERR_FILENO) == 1) }

    /// What to write now; `nil` where nothing has changed that is worth it.
    ///
    /// - Parameter share: from 0 to 1.
    public mutating func text(for share: Double) -> String? {
        let percent = Int(share * 100)
        let step = isTerminal ? 1 : 25
        guard lastPercent.map({ percent / step > $0 / step }) ?? true else { return nil }
        lastPercent = percent
        guard isTerminal else { return "   \(percent / step * step)%\n" }
        let filled = percent * Self.barWidth / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
        return "\r   \(bar) \(percent)%"
    }

    /// What to write when it is over.
    public var ending: String { isTerminal ? "\n" : "" }
}
