// The results of an install are kept in parts: one for each block of its history, and one for the recent evidence. A
// part has the best of those attempts that begin in its evidence, so a day can have a result in several parts. Of these
// the highest counts, and of the equally high ones that of the earliest part.
extension DayOutcome {
    /// Whether this result of an earlier part counts, and not the `other` of a later part.
    func counts(before other: DayOutcome) -> Bool { rank >= other.rank }
}

extension [DayOutcome] {
    /// The results of several parts, in order of owner, then day.
    ///
    /// - Parameter parts: the parts in order of their evidence, each in order of owner, then day.
    static func joined(_ parts: [[DayOutcome]]) -> [DayOutcome] {
        guard parts.count > 1 else { return parts.first ?? [] }
        let all = parts.joined().enumerated().sorted {
            $0.element.isOfSameDay(as: $1.element) ? $0.offset < $1.offset : $0.element.precedes($1.element)
        }
        var joined: [DayOutcome] = []
        joined.reserveCapacity(all.count)
        for (_, best) in all {
            guard let last = joined.last, last.isOfSameDay(as: best) else {
                joined.append(best)
                continue
            }
            if !last.counts(before: best) { joined[joined.count - 1] = best }
        }
        return joined
    }

    /// Appends a result of a later part of the same owner, with the same day or a later one than the last.
    ///
    /// - Parameter start: the index of the owner's first result.
    mutating func join(_ best: DayOutcome, from start: Int) {
        guard count > start, let last, last.day == best.day else { return append(best) }
        if !last.counts(before: best) { self[count - 1] = best }
    }

    /// The results without those that a later day of the same owner is higher than.
    ///
    /// Their ranks do not grow from one to the next. So the last earlier day that is at least as high as one of them
    /// is the one before it. This is all that is needed to know the effect of a later day.
    ///
    /// - Parameter days: the results of one owner, in order.
    static func open(_ days: ArraySlice<DayOutcome>) -> [DayOutcome] {
        var open: [DayOutcome] = []
        for best in days.reversed() where best.rank >= open.last?.rank ?? 0 { open.append(best) }
        return open.reversed()
    }
}
