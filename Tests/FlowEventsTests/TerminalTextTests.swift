import FlowEvents
import Testing

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("\u{1B}[2J", "\\u{1B}[2J"), ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{9B}x", "\\u{9B}x"),
        ("\u{202E}x", "\\u{202E}x"),
        ("\u{2028}", "\\u{2028}"), ("👩‍👩‍👧 é", "👩‍👩‍👧 é"),
    ])
    func `what would move the cursor or the text is shown instead`(text: String, shown: String) {
        #expect(TerminalText.visible(text) == shown)
    }
}
