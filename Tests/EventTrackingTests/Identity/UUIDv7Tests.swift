import EventTracking
import Foundation
import Testing

@Suite struct UUIDv7Tests {
    // The example of RFC 9562, appendix A.6.
    private let example = UUIDv7(milliseconds: 0x017F_22E2_79B0, randomA: 0xCC3, randomB: 0x18C4_DC0C_0C07_398F)

    @Test func `the text is that of RFC 9562's example`() {
        #expect(example.description == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
    }

    @Test func `Foundation reads the text as the same bytes`() throws {
        let bytes = try #require(UUID(uuidString: example.description)).uuid
        #expect(bytes.6 >> 4 == 7)
        #expect(bytes.8 >> 6 == 0b10)
        #expect(example.milliseconds == 1_645_557_742_000)
    }

    @Test func `bits that do not fit leave version and variant alone`() {
        let full = UUIDv7(milliseconds: 0, randomA: .max, randomB: .max)
        #expect(full.description == "00000000-0000-7fff-bfff-ffffffffffff")
    }

    @Test func `the order is that of the text`() {
        let later = UUIDv7(milliseconds: 0x017F_22E2_79B1, randomA: 0, randomB: 0)
        #expect(example < later)
        #expect(example.description < later.description)
    }
}
