/// An id in 20 bytes: a lower-case UUID as its 128 bits, another text of at most 16 bytes as these bytes, and a longer one
/// as an index in ``EventIDTexts``.
///
/// A text has one form only, so ids with different forms are different.
struct EventID {
    /// The first 64 bits of a UUID, or the first eight bytes of a short text, zeros behind a shorter one; else 0.
    let high: UInt64
    /// The bits or bytes after ``high``.
    let low: UInt64
    // 0 for a UUID, the index of a long text plus 1, or the length of a short text, minus 17: always negative.
    private let code: Int32

    /// The greatest number of bytes of a short text.
    static let greatestShortCount = 16

    init(text: TableIndex<EventIDTexts>) {
        (high, low, code) = (0, 0, Int32(text.offset) + 1)
    }

    init(high: UInt64, low: UInt64) {
        (self.high, self.low, code) = (high, low, 0)
    }

    /// Reads a text that needs no place in ``EventIDTexts``: a UUID or a short text; `nil` for any other.
    @inline(__always)
    init?(inPlace bytes: UnsafeRawBufferPointer) {
        if bytes.count > Self.greatestShortCount {
            self.init(uuid: bytes)
        } else {
            self.init(short: bytes)
        }
    }

    /// - Parameter bytes: at most 16 bytes.
    private init(short bytes: UnsafeRawBufferPointer) {
        var text = (UInt64(0), UInt64(0))
        withUnsafeMutableBytes(of: &text) { $0.copyBytes(from: bytes) }
        (high, low) = (text.0.byteSwapped, text.1.byteSwapped)
        code = Int32(bytes.count - Self.greatestShortCount - 1)
    }

    /// The index of a long text; `nil` for a UUID and a short text.
    @inline(__always)
    var text: TableIndex<EventIDTexts>? { code > 0 ? TableIndex(Int(code) - 1) : nil }

    @inline(__always)
    var isUUID: Bool { code == 0 }

    /// Whether both are the same UUID or the same short text.
    @inline(__always)
    func isSameInPlace(as other: EventID) -> Bool {
        high == other.high && low == other.low && code == other.code && code <= 0
    }

    /// Whether a text comes before another one, by its bytes; `nil` where the two must be compared as texts.
    func precedes(_ other: EventID) -> Bool? {
        guard isUUID ? other.isUUID : code < 0 && other.code < 0 else { return nil }
        // Lower-case hexadecimal digits sort as their values do. Of two short texts that differ only in zeros at the
        // end, the shorter one comes first.
        return (high, low, code) < (other.high, other.low, other.code)
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

    /// The length of a short text.
    private var shortCount: Int { Int(code) + Self.greatestShortCount + 1 }

    /// Calls `body` with the 16 bytes of a UUID, the most significant first.
    @inline(__always)
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }

    /// The first eight bytes of the text of a UUID or of a short text, the first byte the most significant.
    var textPrefix: UInt64 { isUUID ? Self.digits(UInt32(high >> 32)).byteSwapped : high }

    /// The text of a UUID, in its canonical form, or a short text.
    var textInPlace: [UInt8] { withText { Array($0) } }

    /// Calls `body` with the text of a UUID, in its canonical form of 36 bytes, or with a short text.
    func withText<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        if code < 0 {
            return try withBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<shortCount])) }
        }
        // The space for five words is more than the text needs. Each word has eight digits, and a dash moves what
        // follows: a text is made for each session of a row that is read, so not digit by digit.
        var text = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        return try withUnsafeMutableBytes(of: &text) { text in
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
            return try body(UnsafeRawBufferPointer(rebasing: text[..<36]))
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

/// The texts of ids that are neither UUIDs nor short, by index.
struct EventIDTexts {
    private var texts = TextList()

    /// The memory that the texts take, in bytes, approximately.
    var byteCount: Int { texts.byteCount }

    /// Returns the id that is a text, which is stored here where the id needs that.
    @inline(__always)
    mutating func id(of text: UnsafeRawBufferPointer) -> EventID {
        EventID(inPlace: text) ?? append(text)
    }

    /// Returns the id of another table, whose text is stored here where the id needs that.
    @inline(__always)
    mutating func id(_ id: EventID, of other: EventIDTexts) -> EventID {
        id.text == nil ? id : other.withText(of: id) { append($0) }
    }

    /// Calls `body` with the text of an id. The bytes are valid during the call.
    @inline(__always)
    func withText<R>(of id: EventID, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        guard let index = id.text else { return id.withText(body) }
        return texts.withText(index.offset, body)
    }

    /// The text of an id.
    func text(of id: EventID) -> [UInt8] { withText(of: id) { Array($0) } }

    /// Whether an id is a text.
    @inline(__always)
    func isText(_ id: EventID, _ text: UnsafeRawBufferPointer) -> Bool {
        withText(of: id) { $0.hasSameBytes(as: text) }
    }

    /// Stores a text, whatever it is.
    mutating func append(_ text: UnsafeRawBufferPointer) -> EventID {
        texts.append(text)
        return EventID(text: TableIndex(texts.count - 1))
    }

    mutating func removeAll() { texts.removeAll() }
}
