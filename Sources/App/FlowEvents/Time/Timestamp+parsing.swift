extension Timestamp {
    /// Reads an RFC 3339 `date-time`; `nil` for anything else.
    ///
    /// `T` and `Z` may be in either case, the offset anything up to ±23:59, the fraction of any length: what is finer
    /// than a millisecond is cut off. There are no leap seconds, and days are those of the calendar. An offset may
    /// lead out of the years 0000 to 9999 by a day; the result is then not ``writable``, but a moment like any other.
    ///
    /// See [RFC 3339, section 5.6](https://www.rfc-editor.org/rfc/rfc3339#section-5.6).
    public init?(_ text: String) {
        var copy = text
        guard let parsed = copy.withUTF8({ Timestamp(rfc3339: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = parsed
    }

    /// Reads an RFC 3339 `date-time` from its bytes, as ``init(_:)`` does.
    package init?(rfc3339 bytes: UnsafeRawBufferPointer) {
        var reader = FixedReader(bytes: bytes)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), let date = CivilDate(year: year, month: month, day: day),
            reader.skip("T", or: "t"),
            let hour = reader.number(2), hour < 24, reader.skip(":"), let minute = reader.number(2), minute < 60,
            reader.skip(":"), let second = reader.number(2), second < 60,
            let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        // The fraction counts forward from its second, also before 1970, so that cutting it off always goes back.
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + (minute - offset) * 60 + second
        self.init(milliseconds: Int64(seconds) * 1000 + Int64(fraction))
    }
}

/// Reads the parts of a `date-time` from left to right; every part is `nil` or `false` where it does not stand there.
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

    /// Milliseconds; 0 where there is no fraction.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        guard var value = digit() else { return nil }
        value = value * 10 + (digit() ?? 0)
        value = value * 10 + (digit() ?? 0)
        while digit() != nil {}
        return value
    }

    /// Minutes east of UTC.
    mutating func offset() -> Int? {
        if skip("Z", or: "z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
}
