import FlowEvents
import Testing

@testable import FunnelReports

@Suite struct TerminalTextColumnsTests {
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
