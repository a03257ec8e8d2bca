/// An event's `id` in 20 bytes: a lower-case UUID as its 128 bits, any other text as an index in ``EventIDTexts``.
struct EventID {
    /// The first 64 bits of the UUID; 0 for any other text.
    let high: UInt64
    /// The last 64 bits of the UUID; 0 for any other text.
    let low: UInt64
    /// The index of the text; `nil` for a UUID.
    @CompactIndex private(set) var text: TableIndex<EventIDTexts>?

    init(text: TableIndex<EventIDTexts>) {
        high = 0
        low = 0
        _text = CompactIndex(wrappedValue: text)
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
        _text = CompactIndex(wrappedValue: nil)
    }

    var isUUID: Bool { text == nil }

    /// Reads the canonical form, 36 characters with lower-case digits; `nil` for any other form.
    ///
    /// Only the canonical form can be written back byte for byte, and only its 128 bits sort as its bytes do.
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
        appendText(to: &text)
        return text
    }

    /// Appends the canonical form.
    func appendText(to text: inout [UInt8]) {
        for position in 0..<16 {
            if position == 4 || position == 6 || position == 8 || position == 10 { text.append(dash) }
            let word = position < 8 ? high : low
            let byte = UInt8(truncatingIfNeeded: word >> UInt64(56 - position % 8 * 8))
            text.append(Self.digit(byte >> 4))
            text.append(Self.digit(byte & 15))
        }
    }

    /// The number that eight lower-case hexadecimal digits encode, the first digit in the lowest byte.
    ///
    /// It converts all eight digits at once, because an id is read for every event. The low four bits of a digit are
    /// its value. A letter has bit 6 set, and its low four bits are its value minus 9. The last check encodes the
    /// values again and compares them with the input, which rejects every other character.
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

/// The ids that are not UUIDs, by index.
struct EventIDTexts {
    private var texts: [[UInt8]] = []
    /// The memory that the texts take, in bytes, approximately.
    private(set) var byteCount = 0

    subscript(index: TableIndex<EventIDTexts>) -> [UInt8] { texts[index.offset] }

    /// Stores a text.
    ///
    /// - Returns: the id that refers to it.
    mutating func append(_ text: [UInt8]) -> EventID {
        texts.append(text)
        byteCount += text.allocatedByteCount + MemoryLayout<[UInt8]>.stride
        return EventID(text: TableIndex(texts.count - 1))
    }

    mutating func removeAll() {
        texts.removeAll(keepingCapacity: true)
        byteCount = 0
    }
}
