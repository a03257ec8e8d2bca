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
    /// Parses the form that nearly all writers use, such as `2026-11-20T10:15:30.123Z`; `nil` for any other text, which may
    /// be RFC 3339 all the same.
    ///
    /// It reads eight characters at once, because every event has a time. The general form takes four times as long.
    fileprivate init?(commonForm bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 24,
            // The forms are 0000-00-, 00T00:00 and :00.000Z.
            let date = DigitPairs(0x2D30_302D_3030_3030, slack: 0x7F76_767F_7676_7676, in: bytes, at: 0),
            let middle = DigitPairs(0x3030_3A30_3054_3030, slack: 0x7676_7F76_767F_7676, in: bytes, at: 8),
            let end = DigitPairs(0x5A30_3030_2E30_303A, slack: 0x7F76_7676_7F76_767F, in: bytes, at: 16),
            let day = CivilDate(year: date[0] * 100 + date[2], month: date[5], day: middle[0])
        else { return nil }
        let (hour, minute, second) = (middle[3], middle[6], end[1])
        guard hour < 24, minute < 60, second < 60 else { return nil }
        let seconds = day.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
        // The last digit is followed by a Z, which counts as the digit 0.
        self.init(milliseconds: Int64(seconds) * 1000 + Int64(end[4] * 10 + end[6] / 10))
    }
}

/// Eight characters of a text, of which some are digits and the others are known.
private struct DigitPairs {
    // In each byte, ten times the digit there plus the next one.
    private let pairs: UInt64

    /// - Parameters:
    ///   - form: eight characters, the first one in the lowest byte: a zero stands for any digit, and each other character
    ///     for itself.
    ///   - slack: what can be added to each byte's difference to the form before it reaches 128: 127 less 9 for a digit.
    /// - Returns: `nil` where the text has another form.
    @inline(__always)
    init?(_ form: UInt64, slack: UInt64, in bytes: UnsafeRawBufferPointer, at offset: Int) {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let digits = word ^ form
        guard (digits | (digits &+ slack)) & 0x8080_8080_8080_8080 == 0 else { return nil }
        pairs = digits &* 10 &+ digits >> 8
    }

    @inline(__always)
    subscript(position: Int) -> Int { Int(pairs >> UInt64(8 * position) & 0xFF) }
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
