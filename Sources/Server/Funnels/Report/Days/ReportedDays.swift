/// The days of a report of one funnel, found from what was asked for and from what the store has.
struct ReportedDays {
    /// The first day, inclusive; `nil` for no bound.
    private(set) var from: Day?
    /// The last day, inclusive; `nil` for no bound.
    private(set) var to: Day?
    /// Whether no day is reported, because none that was asked for is settled or has entries.
    private(set) var isEmpty = false

    init(_ request: ReportRequest, _ states: DayStates, newestEntryDay: () throws -> Day?) rethrows {
        switch request.days {
        case .between(let from, let to): (self.from, self.to) = (from, to)
        case .last(let count, let last):
            let anchor = try last ?? (request.isSettledOnly ? states.settledTo : newestEntryDay())
            isEmpty = anchor == nil
            (from, to) = (anchor.map(count.first), anchor)
        }
        guard request.isSettledOnly else { return }
        guard let settled = states.settledTo, from.map({ $0 <= settled }) ?? true else {
            isEmpty = true
            return
        }
        to = min(to ?? settled, settled)
    }

    /// The same number of days before; `nil` where that is not a number.
    var earlier: ClosedRange<Day>? {
        guard let from, let to, !isEmpty else { return nil }
        return from.advanced(by: -from.count(through: to))...from.advanced(by: -1)
    }
}
