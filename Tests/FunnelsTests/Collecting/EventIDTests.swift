import FlowEventTestSupport
import Testing

@testable import Funnels

@Suite struct EventIDTests {
    private let uuid = Array("01a1fd0f-3a53-7bb0-9d34-ee556cb41484".utf8)

    @Test func `a canonical UUID becomes its 128 bits and the same text again`() throws {
        let id = try #require(uuid.withUnsafeBytes { EventID(uuid: $0) })
        #expect(id.high == 0x01a1_fd0f_3a53_7bb0 && id.low == 0x9d34_ee55_6cb4_1484)
        #expect(id.textInPlace == uuid)
    }

    @Test func `only lower-case digits and dashes in their places are canonical`() {
        for position in uuid.indices {
            for byte in UInt8.min...UInt8.max {
                var text = uuid
                text[position] = byte
                let isDash = [8, 13, 18, 23].contains(position)
                let isDigit = (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
                let id = text.withUnsafeBytes { EventID(uuid: $0) }
                #expect((id != nil) == (isDash ? byte == 0x2D : isDigit), "byte \(byte) at \(position)")
                if let id { #expect(id.textInPlace == text) }
            }
        }
    }

    @Test func `text of another length is none`() {
        for count in [0, 35, 37, 72] {
            let text = Array((uuid + uuid).prefix(count))
            #expect(text.withUnsafeBytes { EventID(uuid: $0) } == nil)
        }
    }

    @Test func `texts of all lengths are read back, and compare by their bytes`() throws {
        var generator = SeededGenerator(seed: 11)
        var texts = EventIDTexts()
        let all = (0..<300).map { index -> [UInt8] in
            if index % 5 == 0 { return EventID(high: generator.next() % 2, low: generator.next() % 4).textInPlace }
            // Few values, zeros among them, so that many texts begin with others or differ at the end only.
            return (0..<(index % 20)).map { _ in UInt8(generator.next() % 2 * 97) }
        }
        let ids = all.map { text in text.withUnsafeBytes { texts.id(of: $0) } }
        for (id, text) in zip(ids, all) {
            #expect(texts.text(of: id) == text)
            #expect((id.text != nil) == (text.count > EventID.greatestShortCount && text.count != 36))
        }
        for (left, leftText) in zip(ids, all) {
            for (right, rightText) in zip(ids, all) {
                if left.text == nil || right.text == nil {
                    #expect(left.isSameInPlace(as: right) == (leftText == rightText))
                }
                if let precedes = left.precedes(right) {
                    #expect(precedes == leftText.lexicographicallyPrecedes(rightText))
                }
            }
        }
    }

    @Test func `a text is copied from another table`() {
        let long = Array("an-id-of-more-than-16-bytes".utf8)
        var (first, second) = (EventIDTexts(), EventIDTexts())
        _ = Array("another-id-of-more-than-16-bytes".utf8).withUnsafeBytes { second.id(of: $0) }
        for text in [long, uuid, Array("short".utf8)] {
            let id = text.withUnsafeBytes { first.id(of: $0) }
            let copy = second.id(id, of: first)
            #expect(second.text(of: copy) == text)
        }
    }

    @Test func `bytes are the same when all of them are`() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8($0) }
            #expect(hasSameBytes(bytes, []) == (count == 0))
            for position in bytes.indices {
                var other = bytes
                other[position] ^= 0x80
                #expect(!hasSameBytes(other, bytes))
            }
            #expect(hasSameBytes(Array(bytes), bytes))
        }
    }

    private func hasSameBytes(_ lhs: [UInt8], _ rhs: [UInt8]) -> Bool {
        lhs.withUnsafeBytes { lhs in rhs.withUnsafeBytes { lhs.hasSameBytes(as: $0) } }
    }
}
