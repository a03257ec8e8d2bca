extension Timestamp: CustomStringConvertible {
    /// The times that RFC 3339 can represent in UTC: the years 0000 to 9999.
    public static let writable =
        Timestamp(milliseconds: -62_167_219_200_000)...Timestamp(milliseconds: 253_402_300_799_999)

    /// The time as RFC 3339 in UTC with milliseconds: `2026-11-20T10:15:30.123Z`.
    ///
    /// Outside ``writable`` the year has a sign and at least six digits, as in ISO 8601's expanded form. No valid event
    /// has such a time.
    public var description: String {
        String(decoding: [UInt8](json: self), as: UTF8.self)
    }
}

extension Timestamp: JSONWritable {
    package var sizeWithoutEscapes: Int { 32 }

    package func write(to json: inout JSONWriter) { json.append(self) }
}

extension JSONWriter {
    /// Appends ``Timestamp/description`` without quotation marks.
    mutating func append(_ time: Timestamp) {
        let (days, millisecond) = time.milliseconds.flooredQuotientAndRemainder(dividingBy: 86_400_000)
        let date = CivilDate(daysSince1970: Int(days))
        let isWritable = (0...9999).contains(date.year)
        if !isWritable { append(UInt8(ascii: date.year < 0 ? "-" : "+")) }
        appendDigits(date.year.magnitude, atLeast: isWritable ? 4 : 6)
        append(UInt8(ascii: "-"))
        appendPair(date.month)
        append(UInt8(ascii: "-"))
        appendPair(date.day)
        append(UInt8(ascii: "T"))
        let second = Int(millisecond / 1000)
        appendPair(second / 3600)
        append(UInt8(ascii: ":"))
        appendPair(second / 60 % 60)
        append(UInt8(ascii: ":"))
        appendPair(second % 60)
        append(UInt8(ascii: "."))
        appendDigits(UInt(millisecond % 1000), atLeast: 3)
        append(UInt8(ascii: "Z"))
    }

    /// Appends a number below 100 with two digits.
    private mutating func appendPair(_ number: Int) {
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension Int64 {
    // Swift's division rounds toward zero. A time before 1970 belongs to the day that started before it.
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
