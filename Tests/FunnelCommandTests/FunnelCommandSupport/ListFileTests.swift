import Testing

@testable import FunnelCommandSupport

@Suite struct ListFileTests {
    @Test func `a list has a text a line, whatever system wrote it`() throws {
        let lists = ["", "\n\r\n", "a b\nc", "a b\r\nc\r\n\r\n", "\u{FEFF}a b\n\nc\n"].map { Array($0.utf8) }
        let lines = try lists.map { try ListFile.lines(in: $0).map { Array($0.utf8) } }
        let texts = [Array("a b".utf8), Array("c".utf8)]
        #expect(lines == [[], [], texts, texts, texts])
    }

    @Test func `a line that is not UTF-8 is named`() {
        #expect(throws: ListFile.ForeignLine(number: 2)) { try ListFile.lines(in: Array("a\n".utf8) + [0xE9, 0x0A]) }
    }
}
