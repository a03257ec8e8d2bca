import FlowEventTestSupport
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct JSONTextListTests {
    @Test(arguments: Seeds.upTo(50))
    func `a list reads back as it was written`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces =
            (0..<0x20).map { String(UnicodeScalar(UInt8($0))) } + ["\"", "\\", "/", ",", "]", "a", "é", "😀", "\u{7F}"]
        for _ in 0..<20 {
            let texts = (0..<Int(generator.next() % 4)).map { _ in
                (0..<Int(generator.next() % 6)).map { _ in generator.pick(pieces) }.joined()
            }
            let json = JSONTextList.encode(texts)
            #expect(JSONTextList.decode(json).map { Array($0.utf8) } == texts.map { Array($0.utf8) })
        }
    }

    @Test func `damaged bytes are one text`() {
        for json in [[], Array("[".utf8), Array("[\"".utf8), Array("[\"\\".utf8), Array("[\"\\u0".utf8), [0xFF, 0xFF]] {
            #expect(JSONTextList.decode(json) == [String(decoding: json, as: UTF8.self)])
        }
    }
}
