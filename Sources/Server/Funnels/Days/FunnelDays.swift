import FlowEvents

/// The days of a funnel's attempts, in the funnel's time zone.
///
/// The day of a moment is its local date. Where clocks go back over midnight, a date comes twice, so a later moment can
/// have an earlier day: see ``firstDay(from:)`` and ``lastDay(through:)``.
struct FunnelDays: Sendable {
    let table: TimeZoneTable
    private let isUTC: Bool
    // Most moments are in the interval of the last one.
    private var interval: TimeZoneTable.Interval
    // The days of the last moment before the interval and of the first one after it.
    private var neighbors = (before: Day(number: .min), after: Day(number: .max))

    init(_ table: TimeZoneTable) {
        self.table = table
        isUTC = table.isUTC
        interval = table.interval(containing: Timestamp(milliseconds: 0))
        if !isUTC { enter(interval) }
    }

    /// The day of a moment, in milliseconds since 1970.
    @inline(__always)
    mutating func day(of moment: Int64) -> Day {
        let time = Timestamp(milliseconds: moment)
        if isUTC { return Day(containing: time) }
        if !interval.contains(time) { enter(table.interval(containing: time)) }
        return interval.day(of: time)
    }

    private mutating func enter(_ interval: TimeZoneTable.Interval) {
        self.interval = interval
        neighbors = (Day(number: .min), Day(number: .max))
        if interval.start > .min {
            neighbors.before = table.day(of: Timestamp(milliseconds: interval.start - 1))
        }
        if interval.end < .max { neighbors.after = table.day(of: Timestamp(milliseconds: interval.end)) }
    }

    /// Whether the day of a moment is later than that of a later moment, or earlier than that of an earlier one.
    mutating func isOutOfOrder(_ moment: Int64) -> Bool {
        if isUTC { return false }
        let day = day(of: moment)
        return day < neighbors.before || neighbors.after < day
    }

    /// The first day that a moment has, or a later one.
    func firstDay(from moment: Int64) -> Day {
        let time = Timestamp(milliseconds: moment)
        if isUTC { return Day(containing: time) }
        let interval = table.interval(containing: time)
        let day = interval.day(of: time)
        guard interval.end < .max else { return day }
        return min(day, table.day(of: Timestamp(milliseconds: interval.end)))
    }

    /// The last day that a moment has, or an earlier one.
    func lastDay(through moment: Int64) -> Day {
        let time = Timestamp(milliseconds: moment)
        if isUTC { return Day(containing: time) }
        let interval = table.interval(containing: time)
        let day = interval.day(of: time)
        guard interval.start > .min else { return day }
        return max(day, table.day(of: Timestamp(milliseconds: interval.start - 1)))
    }

    /// The first moment of a day or of a later one, in milliseconds since 1970.
    func start(of day: Day) -> Int64 {
        if isUTC { return Int64(day.number) * 86_400_000 }
        return table.start(of: day).milliseconds
    }

    /// The first moment after which all days are later, in milliseconds since 1970.
    func end(of day: Day) -> Int64 {
        let next = Day(number: day.number + 1)
        if isUTC { return start(of: next) }
        let start = start(of: next)
        let interval = table.interval(containing: Timestamp(milliseconds: start))
        guard interval.end < start + TimeZoneTable.maximumOffset else { return start }
        let following = table.interval(containing: Timestamp(milliseconds: interval.end))
        let again = Int64(next.number) * 86_400_000 - following.offset
        return following.start < again ? again : start
    }
}
