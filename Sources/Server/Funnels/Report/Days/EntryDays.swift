/// Finds the days on which actors entered a funnel. It reads the days of a store at most once.
final class EntryDays<Source: SummarySource> {
    private let source: Source
    private let funnel: Int
    // All days with entries, once they were read.
    private var all: [Day]?

    /// - Parameter funnel: the index of the funnel in the definitions.
    init(source: Source, funnel: Int) {
        self.source = source
        self.funnel = funnel
    }

    /// Returns the first and the last day with entries from `from` to `to`, both included; `nil` where there is none.
    func bounds(from: Day?, to: Day?) throws -> ClosedRange<Day>? {
        let range = SummaryRange(from, to)
        if let from, let to, from > to { return nil }
        let days = try all?.filter(range.contains) ?? read(range)
        if from == nil, to == nil { all = days }
        guard let first = days.min(), let last = days.max() else { return nil }
        return first...last
    }

    private func read(_ range: SummaryRange) throws -> [Day] {
        var entries: [Day: Int64] = [:]
        try source.forEachSegment(funnel: funnel, byValue: false, from: range.from, to: range.to) { _, day, segment in
            entries[day, default: 0] &+= try SummaryRange(day, day).attemptCount(in: segment, day: day)
        }
        return entries.filter { $0.value > 0 }.map(\.key)
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
