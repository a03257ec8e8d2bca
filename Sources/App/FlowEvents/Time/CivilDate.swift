/// A date of the proleptic Gregorian calendar, and its number of days since 1970-01-01.
///
/// The arithmetic is Howard Hinnant's `days_from_civil` and `civil_from_days`, from
/// [chrono-Compatible Low-Level Date Algorithms](https://howardhinnant.github.io/date_algorithms.html).
package struct CivilDate: Sendable, Hashable {
    /// The astronomical year: 0 is 1 BC.
    package var year: Int
    /// The month, 1 to 12.
    package var month: Int
    /// The day of the month, from 1.
    package var day: Int

    /// Creates a date; `nil` if the calendar has no such date.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length =
            switch month {
            case 2: isLeap ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        guard day <= length else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the date that is `days` after 1970-01-01.
    package init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    }

    /// Whole days since 1970-01-01; negative before it.
    package var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
