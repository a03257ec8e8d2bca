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
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        func half(_ offset: Int) -> UInt64 {
            UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        guard let a = Self.number(word(0)), let b = Self.number(half(9) | half(14) << 32),
            let c = Self.number(half(19) | half(24) << 32), let d = Self.number(word(28))
        else { return nil }
        self.init(high: a << 32 | b, low: c << 32 | d)
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

    /// The number that eight lower-case hexadecimal digits stand for, the first in the lowest byte.
    ///
    /// All eight at once, because an id is read for every event: a letter's bit 6 is set, its low four bits are 9 less
    /// than its value, and a digit's are its value. What the values are written as must be what was read.
    @inline(__always)
    private static func number(_ digits: UInt64) -> UInt64? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var values = (digits & (ones &* 0x0F)) &+ (digits >> 6 & ones) &* 9
        let letters = (values &+ ones &* 6) >> 4 & ones
        guard values & (ones &* 0xF0) == 0, values &+ ones &* 0x30 &+ letters &* 0x27 == digits else { return nil }
        values = values.byteSwapped
        values = (values | values >> 4) & 0x00FF_00FF_00FF_00FF
        values = (values | values >> 8) & 0x0000_FFFF_0000_FFFF
        return (values | values >> 16) & 0xFFFF_FFFF
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

private let dash = UInt8(ascii: "-")
