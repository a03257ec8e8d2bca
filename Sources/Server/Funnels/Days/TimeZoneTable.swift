package import FlowEvents

/// The offsets of a time zone from UTC over time. It finds the day of a moment without a calendar.
///
/// ```swift
/// let table = TimeZoneTable(named: "Europe/Berlin")
/// var interval = table.interval(containing: time)
/// if !interval.contains(time) { interval = table.interval(containing: time) }
/// let day = interval.day(of: time)
/// ```
///
/// A table has all transitions that the time zone database has until the year 2500. Before the first transition, the
/// offset is that of the first interval, mostly local mean time. From 2500 on, the transitions of the years 2100 to 2499
/// repeat: the Gregorian calendar has a cycle of 400 years.
package struct TimeZoneTable: Sendable, Hashable, Codable {
    /// The name of the time zone.
    package let name: String
    /// The beginning of each interval in milliseconds since 1970, ascending. The first one is `Int64.min`.
    let starts: [Int64]
    /// The offset from UTC of each interval, in milliseconds; positive in the east.
    let offsets: [Int64]

    /// UTC, which has one interval.
    package static let utc = TimeZoneTable(name: "UTC", starts: [.min], offsets: [0])

    static let cycleStart: Int64 = 4_102_444_800_000  // 2100-01-01
    static let cycleLength: Int64 = 146_097 * 86_400_000  // 400 years
    static let end = cycleStart + cycleLength
    /// No offset is as great as this one, 26 hours.
    static let maximumOffset: Int64 = 26 * 3_600_000

    /// - Parameters:
    ///   - starts: one or more, ascending; the first one is `Int64.min`.
    ///   - offsets: as many as `starts`.
    init(name: String, starts: [Int64], offsets: [Int64]) {
        self.name = name
        self.starts = starts
        self.offsets = offsets
    }

    /// Whether the days are always those of UTC.
    package var isUTC: Bool { offsets == [0] }

    /// A span of time with one offset from UTC.
    package struct Interval: Sendable, Hashable {
        /// The first moment, in milliseconds since 1970.
        let start: Int64
        /// The first moment after the interval; `Int64.max` where it does not end.
        let end: Int64
        let offset: Int64

        /// Whether a moment is in the interval.
        @inline(__always)
        package func contains(_ time: Timestamp) -> Bool { start <= time.milliseconds && time.milliseconds < end }

        /// The local date of a moment of the interval.
        @inline(__always)
        package func day(of time: Timestamp) -> Day {
            Day(containing: Timestamp(milliseconds: time.milliseconds &+ offset))
        }
    }

    /// The interval that contains a moment.
    package func interval(containing time: Timestamp) -> Interval {
        let moment = time.milliseconds
        guard isCyclic, moment >= Self.end else { return interval(at: moment) }
        // The shift is at most `moment`, so nothing overflows but the end of the last representable interval.
        let shift = (moment - Self.cycleStart) / Self.cycleLength * Self.cycleLength
        let folded = interval(at: moment - shift)
        let (end, overflow) = folded.end.addingReportingOverflow(shift)
        return Interval(
            start: max(folded.start, Self.cycleStart) + shift,
            end: overflow ? .max : end,
            offset: folded.offset
        )
    }

    /// The local date of a moment.
    ///
    /// A caller with many moments keeps the ``Interval`` of the last one: most moments are in the same.
    package func day(of time: Timestamp) -> Day {
        interval(containing: time).day(of: time)
    }

    /// The first moment whose local date is `day` or later.
    ///
    /// Where clocks skip midnight, the day begins at their next time, such as 01:00. A date that clocks skip begins and
    /// ends at the same moment. Where clocks go back over midnight, the day begins the first time.
    package func start(of day: Day) -> Timestamp {
        let midnight = Int64(day.number) * 86_400_000
        var interval = interval(containing: Timestamp(milliseconds: midnight - Self.maximumOffset))
        while true {
            let start = max(interval.start, midnight - interval.offset)
            if start < interval.end { return Timestamp(milliseconds: start) }
            interval = self.interval(containing: Timestamp(milliseconds: interval.end))
        }
    }

    /// The moment at which a day ends: the first one with a later local date.
    package func end(of day: Day) -> Timestamp {
        start(of: Day(number: day.number + 1))
    }

    /// The first moment at which another table has another offset; `nil` where there is none.
    ///
    /// - Parameter moments: the moments to compare, in milliseconds since 1970.
    package func firstDifference(from other: TimeZoneTable, in moments: ClosedRange<Int64>) -> Timestamp? {
        var moment = moments.lowerBound
        while true {
            let (own, others) = (
                interval(containing: Timestamp(milliseconds: moment)),
                other.interval(containing: Timestamp(milliseconds: moment))
            )
            if own.offset != others.offset { return Timestamp(milliseconds: moment) }
            moment = min(own.end, others.end)
            guard moment <= moments.upperBound, moment < .max else { return nil }
        }
    }

    /// Whether there are transitions in the last 400 years of the table, which repeat after it.
    private var isCyclic: Bool { starts[starts.count - 1] >= Self.cycleStart }

    private func interval(at moment: Int64) -> Interval {
        let next = max(1, starts.partitioningIndex { $0 > moment })
        let end = next < starts.count ? starts[next] : isCyclic ? Self.end : .max
        return Interval(start: starts[next - 1], end: end, offset: offsets[next - 1])
    }
}
