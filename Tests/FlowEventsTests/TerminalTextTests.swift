import Testing

@testable import FunnelReports

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("\u{1B}[2J", "\\u{1B}[2J"), ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{9B}x", "\\u{9B}x"),
        ("\u{202E}x", "\\u{202E}x"),
        ("\u{2028}", "\\u{2028}"), ("👩‍👩‍👧 é", "👩‍👩‍👧 é"),
    ])
    func `what would move the cursor or the text is shown instead`(text: String, shown: String) {
        #expect(TerminalText.visible(text) == shown)
    }

    @Test(arguments: [("abc", 3), ("購入", 4), ("🎉", 2), ("👩‍👩‍👧", 2), ("e\u{301}", 1), ("🇩🇪", 2), ("❤️", 2), ("", 0)])
    func `wide characters take two columns`(text: String, columns: Int) {
        #expect(TerminalText.width(text) == columns)
    }

    @Test(arguments: [("abc", 5, "abc  "), ("abcdef", 5, "abcd…"), ("購入購入", 5, "購入…"), ("購入購入", 4, "購… ")])
    func `a text is filled or cut to its column`(text: String, columns: Int, fitted: String) {
        #expect(TerminalText.fit(text, columns: columns) == fitted)
        #expect(TerminalText.width(fitted) == columns)
    }
}
