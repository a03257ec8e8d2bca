extension Timestamp {
    /// Parses an RFC 3339 `date-time`; `nil` for any other text.
    ///
    /// ```swift
    /// let time = Timestamp("2026-11-20T11:15:30.123+01:00")
    /// ```
    ///
    /// `T` and `Z` may be lowercase. The offset is at most ±23:59. The fraction may have any length; digits after the
    /// milliseconds are ignored. Leap seconds and dates that do not exist are not accepted. Because of its offset, a
    /// time can be up to a day outside ``writable``.
    ///
    /// See [RFC 3339, section 5.6](https://www.rfc-editor.org/rfc/rfc3339#section-5.6).
    public init?(_ text: String) {
        var copy = text
        guard let parsed = copy.withUTF8({ Timestamp(rfc3339: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = parsed
    }

    /// Parses an RFC 3339 `date-time` from its bytes, as ``init(_:)`` does.
    package init?(rfc3339 bytes: UnsafeRawBufferPointer) {
        if let time = Timestamp(commonForm: bytes) {
            self = time
            return
        }
        var reader = FixedReader(bytes: bytes)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), let date = CivilDate(year: year, month: month, day: day),
            reader.skip("T", or: "t"),
            let hour = reader.number(2), hour < 24, reader.skip(":"), let minute = reader.number(2), minute < 60,
            reader.skip(":"), let second = reader.number(2), second < 60,
            let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        // The fraction is added also before 1970, so ignoring its digits always makes the time earlier.
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + (minute - offset) * 60 + second
        self.init(milliseconds: Int64(seconds) * 1000 + Int64(fraction))
    }
}

extension Timestamp {
    /// Parses the form that most writers use, such as `2026-11-20T10:15:30.123Z`; `nil` for any other text. That text may be
    /// RFC 3339 all the same.
    ///
    /// It reads eight characters at once, because a consumer reads the time of every event.
    fileprivate init?(commonForm bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 24, let date = DigitPairs("0000-00-", in: bytes, at: 0),
            let middle = DigitPairs("00T00:00", in: bytes, at: 8),
            let end = DigitPairs(":00.000Z", in: bytes, at: 16),
            let day = CivilDate(year: date[0] * 100 + date[2], month: date[5], day: middle[0])
        else { return nil }
        let (hour, minute, second) = (middle[3], middle[6], end[1])
        guard hour < 24, minute < 60, second < 60 else { return nil }
        let seconds = day.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
        // The last digit is followed by a Z, which counts as the digit 0.
        self.init(milliseconds: Int64(seconds) * 1000 + Int64(end[4] * 10 + end[6] / 10))
    }
}

/// The numbers that each two neighbors of eight characters form.
///
/// ```swift
/// let pairs = DigitPairs("00T00:00", in: bytes, at: 8)  // the bytes there are 20T10:15
/// pairs?[0]  // 20
/// pairs?[3]  // 10
/// ```
private struct DigitPairs {
    // In each byte, ten times the digit there plus the next digit. A character that is no digit counts as 0.
    private let pairs: UInt64

    /// Reads eight characters; `nil` where they do not have the form.
    ///
    /// - Parameter form: eight characters. A zero stands for any digit, any other character for itself.
    @inline(__always)
    init?(_ form: StaticString, in bytes: UnsafeRawBufferPointer, at offset: Int) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // The compiler works out all that depends on the form alone.
        let form = UInt64(littleEndian: UnsafeRawPointer(form.utf8Start).loadUnaligned(as: UInt64.self))
        let isOther = (((form ^ (ones &* 0x30)) &+ (ones &* 0x7F)) >> 7) & ones
        // A digit differs from zero by at most 9, another character not at all. With this added, more reaches 128.
        let slack = (ones &* (0x7F - 9)) &+ (isOther &* 9)
        let digits = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ form
        guard (digits | (digits &+ slack)) & (ones &* 0x80) == 0 else { return nil }
        pairs = (digits &* 10) &+ (digits >> 8)
    }

    /// The number that the characters at a position and behind it form.
    @inline(__always)
    subscript(position: Int) -> Int { Int((pairs >> UInt64(8 * position)) & 0xFF) }
}

/// Reads the parts of a `date-time` from left to right. A method returns `nil` or `false` if its part does not follow.
private struct FixedReader {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    private mutating func digit() -> Int? {
        guard position < bytes.count, case let value = bytes[position] &- UInt8(ascii: "0"), value < 10 else {
            return nil
        }
        position += 1
        return Int(value)
    }

    mutating func number(_ width: Int) -> Int? {
        var value = 0
        for _ in 0..<width {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    mutating func skip(_ expected: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Bool {
        guard position < bytes.count else { return false }
        let found = Unicode.Scalar(bytes[position])
        guard found == expected || found == other else { return false }
        position += 1
        return true
    }

    /// Reads a fraction in milliseconds; 0 if there is none.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        guard var value = digit() else { return nil }
        value = value * 10 + (digit() ?? 0)
        value = value * 10 + (digit() ?? 0)
        while digit() != nil {}
        return value
    }

    /// Reads an offset in minutes east of UTC.
    mutating func offset() -> Int? {
        if skip("Z", or: "z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
}
