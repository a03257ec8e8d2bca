/// A time-ordered identifier, [RFC 9562 section 5.7](https://www.rfc-editor.org/rfc/rfc9562#section-5.7): 48 bits of
/// Unix milliseconds, the version 7, 12 random bits, the variant, 62 random bits.
package struct UUIDv7: Sendable, Hashable, Comparable {
    /// The first 64 bits: milliseconds, version, `rand_a`.
    package let high: UInt64
    /// The last 64 bits: variant, `rand_b`.
    package let low: UInt64

    /// Creates a UUID from its fields. Bits that do not fit a field are ignored.
    ///
    /// - Parameters:
    ///   - milliseconds: since 1970-01-01T00:00:00Z; 48 bits.
    ///   - randomA: 12 bits.
    ///   - randomB: 62 bits.
    package init(milliseconds: UInt64, randomA: UInt64, randomB: UInt64) {
        high = milliseconds << 16 | 0x7000 | randomA & 0xFFF
        low = 0x8000_0000_0000_0000 | randomB & 0x3FFF_FFFF_FFFF_FFFF
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var milliseconds: UInt64 { high >> 16 }

    /// Compares the bytes. The texts have the same order.
    package static func < (lhs: UUIDv7, rhs: UUIDv7) -> Bool {
        (lhs.high, lhs.low) < (rhs.high, rhs.low)
    }
}

extension UUIDv7: CustomStringConvertible {
    /// The 36 characters in lowercase: `0193479e-8f8c-7c3a-9d8e-2f0a6b1c4d5e`.
    package var description: String {
        // Written directly into the string's storage, eight digits at a time: every event needs an id, and the main actor
        // waits for the id of a presentation.
        String(unsafeUninitializedCapacity: 36) { characters in
            let text = UnsafeMutableRawBufferPointer(characters)
            let parts = (digits(high >> 32), digits(high), digits(low >> 32), digits(low))
            text.storeBytes(of: parts.0.bigEndian, as: UInt64.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: parts.1 >> 32).bigEndian, toByteOffset: 9, as: UInt32.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: parts.1).bigEndian, toByteOffset: 14, as: UInt32.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: parts.2 >> 32).bigEndian, toByteOffset: 19, as: UInt32.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: parts.2).bigEndian, toByteOffset: 24, as: UInt32.self)
            text.storeBytes(of: parts.3.bigEndian, toByteOffset: 28, as: UInt64.self)
            text[8] = UInt8(ascii: "-")
            text[13] = UInt8(ascii: "-")
            text[18] = UInt8(ascii: "-")
            text[23] = UInt8(ascii: "-")
            return 36
        }
    }

    /// Returns the lowest 32 bits as eight hexadecimal digits, one in each byte.
    private func digits(_ number: UInt64) -> UInt64 {
        var digits = (number & 0xFFFF_0000) << 16 | number & 0xFFFF
        digits = (digits & 0x0000_FF00_0000_FF00) << 8 | digits & 0x0000_00FF_0000_00FF
        digits = (digits & 0x00F0_00F0_00F0_00F0) << 4 | digits & 0x000F_000F_000F_000F
        // 1 in each byte above nine: adding six carries into the next bit.
        let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits + 0x3030_3030_3030_3030 + letters * 0x27
    }
}
