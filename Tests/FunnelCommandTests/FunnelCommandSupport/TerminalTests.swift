import FunnelCommandSupport
import Testing

@Suite struct TerminalTests {
    @Test func `colors are for terminals that nobody asked to be plain`() {
        #expect(Terminal(isTerminal: true, columns: 100, environment: [:]).hasColor)
        #expect(Terminal(isTerminal: true, columns: 100, environment: ["NO_COLOR": ""]).hasColor)
        #expect(!Terminal(isTerminal: true, columns: 100, environment: ["NO_COLOR": "1"]).hasColor)
        #expect(!Terminal(isTerminal: true, columns: 100, environment: ["TERM": "dumb"]).hasColor)
        #expect(!Terminal(isTerminal: false, columns: nil, environment: [:]).hasColor)
    }

    @Test func `the width is what was asked for, else the terminal's, else 80`() {
        #expect(Terminal(isTerminal: true, columns: 100, environment: ["COLUMNS": "120"]).width == 120)
        #expect(Terminal(isTerminal: true, columns: 100, environment: ["COLUMNS": "x"]).width == 100)
        #expect(Terminal(isTerminal: true, columns: 0, environment: [:]).width == 80)
        #expect(Terminal(isTerminal: false, columns: nil, environment: ["COLUMNS": "-1"]).width == 80)
    }
}
