import FlowEvents
import Testing
import YAMLNodes

@Suite struct CoreScalarTests {
    @Test(arguments: ["", "~", "null", "Null", "NULL"])
    func `null has five forms`(text: String) {
        #expect(CoreScalar(text) == .null)
    }

    @Test(arguments: [
        "nULL", "tRUE", "yes", "on", "off", "0o8", "0xG", "+0x1", "1e", "e1", "+", "--1", ".inf.", "1_0", "١",
    ])
    func `what is close to another form is a text`(text: String) {
        #expect(CoreScalar(text) == .string)
    }

    @Test(arguments: [".inf", "+.INF", "0x10000000000000000", "1e400"])
    func `what no double can hold is infinite`(text: String) {
        #expect(CoreScalar(text) == .number(PropertyNumber(Double.infinity)))
    }
}
