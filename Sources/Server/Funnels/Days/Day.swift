public import FlowEvents

/// A date of the proleptic Gregorian calendar.
public struct Day: Sendable, Hashable, Comparable {
    /// The number of days since 1970-01-01; negative before it.
    public let number: Int32

    /// Creates a day from the number of days since 1970-01-01.
    public init(number: Int32) {
        self.number = number
    }

    /// The day in UTC that contains a moment. A funnel with a ``FunnelTimeZone`` has the days of that zone.
    public init(containing time: Timestamp) {
        let (days, remainder) = time.milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        // Events have the years 0 to 9999 of RFC 3339, which are within 4 million days of 1970.
        number = Int32(truncatingIfNeeded: remainder < 0 ? days - 1 : days)
    }

    /// Whether the left day is earlier.
    public static func < (lhs: Day, rhs: Day) -> Bool {
        lhs.number < rhs.number
    }
}

extension Day: LosslessStringConvertible {
    /// Reads `YYYY-MM-DD`; `nil` for any other form and for a day that does not exist, such as `2023-02-29`.
    public init?(_ description: String) {
        let bytes = Array(description.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func digits(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = digits(0..<4), let month = digits(5..<7), let day = digits(8..<10),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        number = Int32(date.daysSince1970)
    }

    /// The day as `YYYY-MM-DD`.
    public var description: String {
        let date = CivilDate(daysSince1970: Int(number))
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value.magnitude)
            return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    }
}
