/// Finds the days on which actors entered a funnel.
struct EntryDays<Source: SummarySource> {
    let source: Source
    /// The index of the funnel in the definitions.
    let funnel: Int

    /// Returns the first and the last day with entries from `from` to `to`, both included; `nil` where there is none.
    func bounds(from: Day?, to: Day?) throws -> ClosedRange<Day>? {
        if let from, let to, from > to { return nil }
        var entries: [Day: Int64] = [:]
        try source.forEachSegment(funnel: funnel, byValue: false, from: from, to: to) { _, day, segment in
            entries[day, default: 0] &+= try SummaryRange(day, day).attemptCount(in: segment, day: day)
        }
        let days = entries.filter { $0.value > 0 }.keys
        guard let first = days.min(), let last = days.max() else { return nil }
        return first...last
    }

    /// Returns the last day with entries after a day.
    func last(after day: Day?) throws -> Day? {
        try bounds(from: day?.advanced(by: 1), to: nil)?.upperBound
    }

    /// Returns the last day with entries that is not after a day.
    func last(notAfter day: Day?) throws -> Day? {
        guard var to = day else { return try bounds(from: nil, to: nil)?.upperBound }
        // Most often the day itself has entries. So it reads a few days first, and more and more of them.
        var count = 1
        while to >= .first {
            let from = to.advanced(by: 1 - count)
            if let found = try bounds(from: from, to: to) { return found.upperBound }
            to = from.advanced(by: -1)
            count *= 4
        }
        return nil
    }
}
