/// A number of days, weeks or months up to some day: `7d`, `4w`, `3m`.
public struct LastDays: Sendable, Hashable {
    /// The unit of the number.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        /// Days.
        case days = "d"
        /// Spans of 7 days.
        case weeks = "w"
        /// Calendar months.
        case months = "m"
    }

    /// How many days, weeks or months: 1 to 9,999.
    public let count: Int
    /// The unit of ``count``.
    public let unit: Unit

    /// Creates a number of days; `nil` where the count is not from 1 to 9,999.
    public init?(_ count: Int, _ unit: Unit) {
        guard (1...9999).contains(count) else { return nil }
        self.count = count
        self.unit = unit
    }

    /// Returns the first of these days, when `last` is the last one.
    ///
    /// Three months up to November 15 begin on August 16.
    func first(endingOn last: Day) -> Day {
        switch unit {
        case .days: last.advanced(by: 1 - count)
        case .weeks: last.advanced(by: 1 - 7 * count)
        case .months: last.advanced(by: 1).back(months: count)
        }
    }
}

extension LastDays: LosslessStringConvertible {
    /// Reads a number and a unit, such as `7d`; `nil` for any other text.
    public init?(_ description: String) {
        guard let unit = description.last.flatMap({ Unit(rawValue: String($0)) }) else { return nil }
        let digits = description.utf8.dropLast()
        guard (1...4).contains(digits.count), digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let count = Int(description.dropLast())
        else { return nil }
        self.init(count, unit)
    }

    /// The number and the unit: `7d`.
    public var description: String { "\(count)\(unit.rawValue)" }
}
