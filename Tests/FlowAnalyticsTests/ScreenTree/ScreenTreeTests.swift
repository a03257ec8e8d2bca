import FlowAnalytics
import Testing

/// What SwiftUI tells in the order in which it does, and what a person saw.
@Suite struct ScreenTreeTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let script: String
        let lines: [String]
        var testDescription: String { name }

        init(_ name: String, _ script: String, _ lines: [String]) {
            self.name = name
            self.script = script
            self.lines = lines
        }
    }

    @Test(arguments: stacks + sheets + tabs + paywalls + lifecycle)
    func `each screen that a person saw counts once`(_ test: Case) {
        #expect(TreeScript.lines(test.script) == test.lines, "\(test.script)")
    }
}
