public import Events

/// A day in UTC, of the proleptic Gregorian calendar.
public struct Day: Sendable, Hashable, Comparable {
    /// Whole days since 1970-01-01; negative before it.
    public let number: Int32

    /// Creates a day from the number of days since 1970-01-01.
    public init(number: Int32) {
        self.number = number
    }

    /// The day that a moment belongs to.
    public init(containing time: Timestamp) {
        let (days, remainder) = time.milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        // RFC 3339's years 0 to 9999, the only ones that an event can have, are within 4 million days of 1970.
        number = Int32(truncatingIfNeeded: remainder < 0 ? days - 1 : days)
    }

    /// Earlier first.
    public static func < (lhs: Day, rhs: Day) -> Bool {
        lhs.number < rhs.number
    }
}

extension Day: LosslessStringConvertible {
    /// Reads `YYYY-MM-DD`; `nil` for any other form and for a day that the calendar does not have.
    public init?(_ description: String) {
        let bytes = Array(description.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int32? {
            var value: Int32 = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int32(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let dayOfMonth = number(8..<10) else { return nil }
        let day = Day(year: year, month: month, day: dayOfMonth)
        // A day that the calendar does not have comes back as another one.
        guard day.civil == (year, month, dayOfMonth) else { return nil }
        self = day
    }

    /// The day as `YYYY-MM-DD`.
    public var description: String {
        let (year, month, day) = civil
        func padded(_ value: Int32, _ width: Int) -> String {
            let digits = String(value.magnitude)
            return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": days_from_civil.
    private init(year: Int32, month: Int32, day: Int32) {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
    }

    // The same paper's civil_from_days.
    private var civil: (year: Int32, month: Int32, day: Int32) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
