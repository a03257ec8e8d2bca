// An install's outcomes are in two parts. Those of attempts that begin in the blocks of its history are archived, those of
// attempts that begin in its recent events are not. So a day can have two outcomes of an actor: the higher one counts, of
// equally high ones the archived one, which begins earlier.
//
// Of the archived outcomes only those stay in the recent state that a later day can change the effect of. A later day closes
// all lower ones before it. The others are in the blocks.
extension [DayOutcome] {
    /// The outcomes that count: of each owner and day one.
    ///
    /// They must be in order of owner, then day, archived ones first.
    func counting() -> [DayOutcome] {
        var counting: [DayOutcome] = []
        counting.reserveCapacity(count)
        for outcome in self {
            if let last = counting.last, last.isOfSameDay(as: outcome) {
                if last.rank < outcome.rank { counting[counting.count - 1] = outcome }
            } else {
                counting.append(outcome)
            }
        }
        return counting
    }

    /// Sorts outcomes by owner, then day, archived ones first; of two archived ones of a day it keeps the one that counts.
    ///
    /// Earlier archived ones must come before later ones.
    mutating func sortAndJoin() {
        sortByOwner()
        guard count > 1 else { return }
        var joined = 0
        for index in indices.dropFirst() {
            let outcome = self[index]
            if outcome.isArchived, self[joined].isArchived, self[joined].isOfSameDay(as: outcome) {
                if self[joined].rank < outcome.rank { self[joined] = outcome }
            } else {
                joined += 1
                self[joined] = outcome
            }
        }
        removeLast(count - joined - 1)
    }

    /// Sorts outcomes by owner, then day, archived ones first; equal ones keep their order. Mostly they are in order already.
    mutating func sortByOwner() {
        for index in indices.dropFirst() where self[index].precedes(self[index - 1]) {
            let order = indices.sorted { self[$0].precedes(self[$1]) || !self[$1].precedes(self[$0]) && $0 < $1 }
            self = order.map { self[$0] }
            return
        }
    }

    /// Removes the archived outcomes that are not needed to know the effect of a later day, and returns them.
    ///
    /// - Parameter bounds: its `ownerCount` and `dayCount` say how many of them stay although the actor is not active.
    mutating func takeClosed(_ bounds: FunnelBounds) -> [DayOutcome] {
        var (open, closed): ([DayOutcome], [DayOutcome]) = ([], [])
        // The last days of the owners without recent outcomes that stay, with the ranges of their outcomes in `open`.
        var idle: [(day: Day, range: Range<Int>)] = []
        var start = 0
        while start < count {
            var end = start
            while end < count, self[end].owner == self[start].owner { end += 1 }
            let own = self[start..<end]
            start = end
            let isActive = own.contains { !$0.isArchived }
            // A session that is over, or a presentation, mostly has no more events.
            if !isActive, own[own.startIndex].owner.actor != nil {
                closed += own
                continue
            }
            let first = open.count
            open += own.open(dayCount: bounds.dayCount, &closed)
            if !isActive, let last = own.last { idle.append((last.day, first..<open.count)) }
        }
        if idle.count > bounds.ownerCount {
            idle.sort { ($0.day, $0.range.lowerBound) > ($1.day, $1.range.lowerBound) }
            var isClosed = [Bool](repeating: false, count: open.count)
            for (_, range) in idle[bounds.ownerCount...] { for index in range { isClosed[index] = true } }
            closed += open.indices.filter { isClosed[$0] }.map { open[$0] }
            open = open.indices.filter { !isClosed[$0] }.map { open[$0] }
        }
        self = open
        for index in closed.indices { closed[index].isCut = false }
        closed.sortByOwner()
        return closed
    }
}

extension ArraySlice<DayOutcome> {
    /// The outcomes of one owner without the archived ones that a later archived one is higher than.
    ///
    /// - Parameter closed: receives the others, and the oldest of more than `dayCount` archived ones.
    fileprivate func open(dayCount: Int, _ closed: inout [DayOutcome]) -> [DayOutcome] {
        var open: [DayOutcome] = []
        var highest = 0
        var archivedCount = 0
        var isCut = first?.isCut ?? false
        for outcome in reversed() {
            guard outcome.isArchived else {
                open.append(outcome)
                continue
            }
            // Where a date comes twice, an attempt can count before that of the day before.
            if outcome.rank >= highest || outcome.isOutOfOrder {
                if archivedCount < dayCount {
                    archivedCount += 1
                    highest = Swift.max(highest, outcome.rank)
                    open.append(outcome)
                    continue
                }
                isCut = true
            }
            closed.append(outcome)
        }
        open.reverse()
        for index in open.indices { open[index].isCut = isCut && index == 0 }
        return open
    }
}
