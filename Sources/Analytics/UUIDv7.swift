/// A time-ordered identifier, [RFC 9562 section 5.7](https://www.rfc-editor.org/rfc/rfc9562#section-5.7): 48 bits of
/// Unix milliseconds, the version 7, 12 random bits, the variant, 62 random bits.
public struct UUIDv7: Sendable, Hashable, Comparable {
    /// The first 64 bits: milliseconds, version, `rand_a`.
    public let high: UInt64
    /// The last 64 bits: variant, `rand_b`.
    public let low: UInt64

    /// Puts the fields in their places; what does not fit a field's bits is cut off.
    ///
    /// - Parameters:
    ///   - milliseconds: since 1970-01-01T00:00:00Z; 48 bits.
    ///   - randomA: 12 bits.
    ///   - randomB: 62 bits.
    public init(milliseconds: UInt64, randomA: UInt64, randomB: UInt64) {
        high = milliseconds << 16 | 0x7000 | randomA & 0xFFF
        low = 0x8000_0000_0000_0000 | randomB & 0x3FFF_FFFF_FFFF_FFFF
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: UInt64 { high >> 16 }

    /// In the order of the bytes, which is also that of the text.
    public static func < (lhs: UUIDv7, rhs: UUIDv7) -> Bool {
        (lhs.high, lhs.low) < (rhs.high, rhs.low)
    }
}

extension UUIDv7: CustomStringConvertible {
    /// The usual 36 characters, in lowercase: `0193479e-8f8c-7c3a-9d8e-2f0a6b1c4d5e`.
    public var description: String {
        // Written straight into the string's storage: every event has a new id, and a byte array between doubles its cost.
        String(unsafeUninitializedCapacity: 36) { text in
            var end = 0
            for position in 0..<32 {
                if position == 8 || position == 12 || position == 16 || position == 20 {
                    text[end] = UInt8(ascii: "-")
                    end += 1
                }
                let half = position < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: half >> (60 - position % 16 * 4)) & 0xF
                text[end] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
                end += 1
            }
            return end
        }
    }
}
