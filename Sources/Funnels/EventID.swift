/// An event's `id` in 20 bytes: a lower-case UUID as its 128 bits, any other text by its place among an owner's texts.
struct EventID {
    var high: UInt64
    var low: UInt64
    /// The place of the text; negative for a UUID.
    var text: Int32

    init(text: Int32) {
        high = 0
        low = 0
        self.text = text
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
        text = -1
    }

    var isUUID: Bool { text < 0 }

    /// Reads the canonical form, 36 characters with lower-case digits; `nil` for any other, because only that form
    /// comes back the same and keeps the order of its bytes.
    init?(uuid bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 36, bytes[8] == dash, bytes[13] == dash, bytes[18] == dash, bytes[23] == dash else {
            return nil
        }
        guard let a = Self.hex(bytes, 0..<8), let b = Self.hex(bytes, 9..<13), let c = Self.hex(bytes, 14..<18),
            let d = Self.hex(bytes, 19..<23), let e = Self.hex(bytes, 24..<36)
        else { return nil }
        self.init(high: a << 32 | b << 16 | c, low: d << 48 | e)
    }

    /// The canonical form.
    var uuidText: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for position in 0..<16 {
            if position == 4 || position == 6 || position == 8 || position == 10 { text.append(dash) }
            let word = position < 8 ? high : low
            let byte = UInt8(truncatingIfNeeded: word >> UInt64(56 - position % 8 * 8))
            text.append(Self.digit(byte >> 4))
            text.append(Self.digit(byte & 15))
        }
        return text
    }

    @inline(__always)
    private static func hex(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64? {
        var value: UInt64 = 0
        for position in range {
            let byte = bytes[position]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte &- (UInt8(ascii: "a") &- 10)
            default: return nil
            }
            value = value << 4 | UInt64(digit)
        }
        return value
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

private let dash = UInt8(ascii: "-")
