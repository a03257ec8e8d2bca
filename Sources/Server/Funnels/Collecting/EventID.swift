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

    /// Whether both are the same UUID.
    @inline(__always)
    func isSameUUID(as other: EventID) -> Bool {
        high == other.high && low == other.low && isUUID && other.isUUID
    }

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

    /// Reads the 16 bytes of a UUID, the most significant first.
    init(bytes: UnsafeRawBufferPointer) {
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    /// Calls `body` with the 16 bytes of a UUID, the most significant first.
    @inline(__always)
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }

    /// The first eight bytes of the canonical form, the first byte the most significant.
    var textPrefix: UInt64 { Self.digits(UInt32(high >> 32)).byteSwapped }

    /// The canonical form.
    var uuidText: [UInt8] { withText { Array($0) } }

    /// Calls `body` with the canonical form, 36 bytes.
    func withText<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        // The space for five words is more than the text needs. Each word has eight digits, and a dash moves what
        // follows: a text is made for each session of a row that is read, so not digit by digit.
        var text = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        return withUnsafeMutableBytes(of: &text) { text in
            func store(_ digits: some FixedWidthInteger, at offset: Int) {
                text.storeBytes(of: digits.littleEndian, toByteOffset: offset, as: type(of: digits))
            }
            let (second, third) = (Self.digits(UInt32(truncatingIfNeeded: high)), Self.digits(UInt32(low >> 32)))
            store(Self.digits(UInt32(high >> 32)), at: 0)
            store(UInt32(truncatingIfNeeded: second), at: 9)
            store(UInt32(second >> 32), at: 14)
            store(UInt32(truncatingIfNeeded: third), at: 19)
            store(UInt32(third >> 32), at: 24)
            store(Self.digits(UInt32(truncatingIfNeeded: low)), at: 28)
            (text[8], text[13], text[18], text[23]) = (dash, dash, dash, dash)
            return body(UnsafeRawBufferPointer(rebasing: text[..<36]))
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

    /// The eight lower-case hexadecimal digits of a number, the first digit in the lowest byte: the way back from
    /// ``number(_:)``.
    @inline(__always)
    private static func digits(_ number: UInt32) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var values = UInt64(number)
        values = (values | values << 16) & 0x0000_FFFF_0000_FFFF
        values = (values | values << 8) & 0x00FF_00FF_00FF_00FF
        values = ((values | values << 4) & (ones &* 0x0F)).byteSwapped
        let letters = (values &+ ones &* 6) >> 4 & ones
        return values &+ ones &* 0x30 &+ letters &* 0x27
    }
}

private let dash = UInt8(ascii: "-")

/// The ids that are not UUIDs, by index: one after another in one array.
struct EventIDTexts {
    private var bytes: [UInt8] = []
    // The end of each text in `bytes`, where the next one begins.
    private var ends: [Int] = []

    var isEmpty: Bool { ends.isEmpty }

    /// The memory that the texts take, in bytes, approximately.
    var byteCount: Int { bytes.count + ends.count * MemoryLayout<Int>.stride }

    subscript(index: TableIndex<EventIDTexts>) -> ArraySlice<UInt8> {
        bytes[(index.offset == 0 ? 0 : ends[index.offset - 1])..<ends[index.offset]]
    }

    /// Calls `body` with a text. The bytes are valid during the call.
    @inline(__always)
    func withText<R>(_ index: TableIndex<EventIDTexts>, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let start = index.offset == 0 ? 0 : ends[index.offset - 1]
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[index.offset]])) }
    }

    /// Stores a text.
    ///
    /// - Returns: the id that refers to it.
    mutating func append(_ text: some Collection<UInt8>) -> EventID {
        bytes.append(contentsOf: text)
        ends.append(bytes.count)
        return EventID(text: TableIndex(ends.count - 1))
    }

    mutating func removeAll() {
        if ends.isEmpty { return }
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}
