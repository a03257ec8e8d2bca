import FlowEvents

/// The results of an install's recent evidence that were computed again.
struct ResultChanges {
    /// The days whose results were computed again, by funnel; `nil` for none.
    var days: [ClosedRange<Day>?]
    /// Their results before, and those after, in order of owner, then day.
    var removed: [DayOutcome]
    var added: [DayOutcome]

    /// The changed results of one owner.
    struct Change {
        var owner: DayOutcome.Owner
        /// The recent results before the changed days, which are as they were.
        var earlier: ArraySlice<DayOutcome>
        /// The results of the changed days before and after, followed by those of later days.
        var before: ArraySlice<DayOutcome>
        var after: ArraySlice<DayOutcome>

        /// The first day of all of them; `nil` where there is none.
        var firstDay: Day? {
            if let first = earlier.first { return first.day }
            guard let day = before.first?.day else { return after.first?.day }
            return after.first.map { min($0.day, day) } ?? day
        }

        /// The greatest rank of all of them; 0 where there is none.
        var greatestRank: Int {
            var rank = 0
            for best in earlier { rank = max(rank, best.rank) }
            for best in before { rank = max(rank, best.rank) }
            for best in after { rank = max(rank, best.rank) }
            return rank
        }
    }

    /// Calls `body` with the changes of each owner whose results have changed, in order of owner, until it returns `false`.
    ///
    /// - Parameters:
    ///   - results: the recent results after the changes.
    ///   - details: the details of all of them.
    /// - Returns: whether `body` was called with all changes.
    func forEachOwner(
        _ results: [DayOutcome],
        _ details: OutcomeDetails,
        _ body: (Change) throws(DamagedBytes) -> Bool
    ) throws(DamagedBytes) -> Bool {
        var (old, new) = (0, 0)
        while let owner = Self.firstOwner(removed, old, added, new) {
            let own = removed.slice(of: owner, from: &old)
            let newOwn = added.slice(of: owner, from: &new)
            guard !details.areEqual(own, newOwn), let days = days[owner.funnel] else { continue }
            var position = results.partitioningIndex { $0.owner >= owner }
            let all = results.slice(of: owner, from: &position)
            let later = all.drop { $0.day <= days.upperBound }
            let change = Change(
                owner: owner,
                earlier: all.prefix { $0.day < days.lowerBound },
                before: own.followed(by: later),
                after: newOwn.followed(by: later)
            )
            guard try body(change) else { return false }
        }
        return true
    }

    private static func firstOwner(_ lhs: [DayOutcome], _ left: Int, _ rhs: [DayOutcome], _ right: Int) -> DayOutcome.Owner? {
        guard left < lhs.count else { return right < rhs.count ? rhs[right].owner : nil }
        guard right < rhs.count else { return lhs[left].owner }
        return min(lhs[left].owner, rhs[right].owner)
    }
}

extension [DayOutcome] {
    /// The results of an owner that begin at a position, which is moved behind them.
    fileprivate func slice(of owner: DayOutcome.Owner, from position: inout Int) -> ArraySlice<DayOutcome> {
        let start = position
        while position < count, self[position].owner == owner { position += 1 }
        return self[start..<position]
    }
}

extension ResultChanges.Change {
    /// The earlier days whose effect changes with the changed days, or that change the effect of these.
    ///
    /// A later day shadows an earlier one that is lower, and a day that is at least as high as all changed days
    /// shadows all days before it.
    ///
    /// - Parameter hasEarlier: whether the owner may have results before ``earlier``.
    /// - Returns: `nil` where the days are not known, or come twice because clocks go back.
    func openDays(hasEarlier: Bool) -> ArraySlice<DayOutcome>? {
        var rank = 0
        for best in before {
            if best.isOutOfOrder { return nil }
            rank = max(rank, best.rank)
        }
        for best in after {
            if best.isOutOfOrder { return nil }
            rank = max(rank, best.rank)
        }
        var open: [DayOutcome] = []
        for best in earlier.reversed() where best.rank >= open.last?.rank ?? 0 {
            if best.isOutOfOrder { return nil }
            open.append(best)
            if best.rank >= rank {
                open.reverse()
                return open[...]
            }
        }
        if hasEarlier { return nil }
        open.reverse()
        return open[...]
    }
}

extension ArraySlice<DayOutcome> {
    /// These results, then the others. Mostly one of the two is empty, so nothing is copied.
    func followed(by others: ArraySlice<DayOutcome>) -> ArraySlice<DayOutcome> {
        if others.isEmpty { return self }
        if isEmpty { return others }
        var joined: [DayOutcome] = []
        joined.reserveCapacity(count + others.count)
        joined += self
        joined += others
        return joined[...]
    }
}
