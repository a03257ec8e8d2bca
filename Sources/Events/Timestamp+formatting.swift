extension Timestamp: CustomStringConvertible {
    /// The moments that RFC 3339 can write in UTC: the years 0000 to 9999.
    public static let writable =
        Timestamp(milliseconds: -62_167_219_200_000)...Timestamp(milliseconds: 253_402_300_799_999)

    /// The moment as RFC 3339 in UTC with milliseconds: `2026-11-20T10:15:30.123Z`.
    ///
    /// Outside ``writable`` the year has a sign and at least six digits, as in ISO 8601's expanded form, which is
    /// nothing that an event may hold.
    public var description: String {
        var bytes: [UInt8] = []
        appendRFC3339(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends what ``description`` says.
    package func appendRFC3339(to bytes: inout [UInt8]) {
        let (days, millisecond) = milliseconds.flooredQuotientAndRemainder(dividingBy: 86_400_000)
        let date = CivilDate(daysSince1970: Int(days))
        let isWritable = (0...9999).contains(date.year)
        if !isWritable { bytes.append(UInt8(ascii: date.year < 0 ? "-" : "+")) }
        bytes.appendDigits(date.year.magnitude, atLeast: isWritable ? 4 : 6)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDigits(date.month.magnitude, atLeast: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDigits(date.day.magnitude, atLeast: 2)
        bytes.append(UInt8(ascii: "T"))
        bytes.appendDigits(UInt(millisecond / 3_600_000), atLeast: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDigits(UInt(millisecond / 60_000 % 60), atLeast: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDigits(UInt(millisecond / 1000 % 60), atLeast: 2)
        bytes.append(UInt8(ascii: "."))
        bytes.appendDigits(UInt(millisecond % 1000), atLeast: 3)
        bytes.append(UInt8(ascii: "Z"))
    }
}

extension Int64 {
    // Swift's division rounds toward zero; a day before 1970 starts at the midnight before, not after.
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
