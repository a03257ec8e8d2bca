import FlowEvents

// Days, weeks and months of a report. They do not depend on the time zone.
extension Day {
    /// Returns the day that is `days` later, or earlier where the number is negative. Days do not overflow.
    func advanced(by days: Int) -> Day {
        Day(number: Int32(clamping: Int(number) + days))
    }

    /// The number of days from this day to another, both included; 0 or less where the other day is earlier.
    func count(through last: Day) -> Int {
        Int(last.number) - Int(number) + 1
    }

    /// The Monday of the day's week.
    var monday: Day {
        // 1970-01-01 was a Thursday.
        let weekday = (Int(number) + 3) % 7
        return advanced(by: -(weekday < 0 ? weekday + 7 : weekday))
    }

    /// The first day of the month that is `months` after this day's month.
    func firstOfMonth(plus months: Int = 0) -> Day {
        Self.day(1, ofMonth: month + months)
    }

    /// Returns the same day of an earlier month, or the last day of that month where it is shorter.
    func back(months: Int) -> Day {
        let date = CivilDate(daysSince1970: Int(number))
        let last = Self.day(1, ofMonth: month - months + 1).advanced(by: -1)
        return min(Self.day(date.day, ofMonth: month - months), last)
    }

    /// The number of months since January of the year 0.
    var month: Int {
        let date = CivilDate(daysSince1970: Int(number))
        return date.year * 12 + date.month - 1
    }

    /// Returns a day of a month, counted on into the next month where the month is shorter.
    private static func day(_ day: Int, ofMonth month: Int) -> Day {
        let (year, remainder) = month.quotientAndRemainder(dividingBy: 12)
        let first = CivilDate(
            year: remainder < 0 ? year - 1 : year,
            month: (remainder < 0 ? remainder + 12 : remainder) + 1,
            day: 1
        )
        return Day(number: Int32(clamping: (first?.daysSince1970 ?? 0) + day - 1))
    }
}
