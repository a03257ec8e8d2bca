import Testing

@testable import FunnelCommandSupport

@Suite struct FailureReportTests {
    private func report(hint: String?) -> FailureReport {
        FailureReport(command: "tool", status: { _ in nil }, hint: { _ in hint })
    }

    @Test func `a message names the command and the error`() {
        #expect(report(hint: nil).message(CommandFailure(.usage, "no file")) == "tool: no file\n")
    }

    @Test(arguments: ["no file", "no file."])
    func `a hint is a sentence of its own`(description: String) {
        let message = report(hint: "--file names another.").message(CommandFailure(.usage, description))
        #expect(message == "tool: no file. --file names another.\n")
    }
}
