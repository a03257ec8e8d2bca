import FunnelCommandSupport
import Testing

@Suite struct ProgressDisplayTests {
    private static func texts(isTerminal: Bool, _ shares: [Double]) -> [String] {
        var display = ProgressDisplay(isTerminal: isTerminal)
        return shares.compactMap { display.text(for: $0) } + [display.ending]
    }

    @Test func `on a terminal a bar is drawn over itself, once for each percent`() {
        let texts = Self.texts(isTerminal: true, [0, 0.001, 0.5, 0.509, 1])
        let bars = [(0, "0%"), (20, "50%"), (40, "100%")].map { filled, percent in
            "\r   " + String(repeating: "█", count: filled) + String(repeating: "░", count: 40 - filled) + " \(percent)"
        }
        #expect(texts == bars + ["\n"])
    }

    @Test func `elsewhere there are a few plain lines`() {
        let texts = Self.texts(isTerminal: false, [0, 0.1, 0.26, 0.4, 0.77, 0.99, 1])
        #expect(texts == ["   0%\n", "   25%\n", "   75%\n", "   100%\n", ""])
    }
}
