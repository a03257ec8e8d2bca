import FunnelReports
import Testing

@Suite struct CheckAlertTests {
    private static let outcomes: [ConversionCheck.Outcome] = [.within("fine"), .outside("low"), .undecided("no day")]

    @Test func `each change of state is told once, and the first run tells only of trouble`() {
        let states: [CheckAlert.State?] = [nil, .within, .outside, .undecided]
        let messages = states.map { previous in
            Self.outcomes.map { CheckAlert(funnel: "f", $0).message(after: previous) }
        }
        let trouble = ["Out of bounds: f: low", "Cannot be checked: f: no day"]
        #expect(messages[0] == [nil] + trouble)
        #expect(messages[1] == [nil] + trouble)
        #expect(messages[2] == ["Back within bounds: f: fine", nil, trouble[1]])
        #expect(messages[3] == ["Back within bounds: f: fine", trouble[0], nil])
    }

    @Test func `a message is Slack's JSON, without its markup`() {
        #expect(CheckAlert.body("a <b> & \"c\"") == "{\n \"text\": \"a &lt;b&gt; &amp; \\\"c\\\"\"\n}\n")
    }
}
