import Testing

@testable import Funnels

@Suite struct EventIDTests {
    private let uuid = Array("01a1fd0f-3a53-7bb0-9d34-ee556cb41484".utf8)

    @Test func `a canonical UUID becomes its 128 bits and the same text again`() throws {
        let id = try #require(uuid.withUnsafeBytes { EventID(uuid: $0) })
        #expect(id.high == 0x01a1_fd0f_3a53_7bb0 && id.low == 0x9d34_ee55_6cb4_1484)
        #expect(id.uuidText == uuid)
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
                if let id { #expect(id.uuidText == text) }
            }
        }
    }

    @Test func `text of another length is none`() {
        for count in [0, 35, 37, 72] {
            let text = Array((uuid + uuid).prefix(count))
            #expect(text.withUnsafeBytes { EventID(uuid: $0) } == nil)
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
